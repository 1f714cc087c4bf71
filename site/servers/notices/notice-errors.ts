import type { MessageKey } from '#content/messages.ts';

/** The message for each reason why a notice was not saved. */
export const saveErrors = (code: string): MessageKey =>
  code === 'notice_dates'
    ? 'hosting_admin.wrong_dates'
    : code === 'moderators_only'
      ? 'error.moderators_only'
      : 'hosting_admin.wrong_fields';
