import type { MessageKey } from '#content/messages.ts';

/** Why a notice was not saved, in words that say what to look at. */
export const saveErrors = (code: string): MessageKey =>
  code === 'notice_dates'
    ? 'hosting_admin.wrong_dates'
    : code === 'moderators_only'
      ? 'error.moderators_only'
      : 'hosting_admin.wrong_fields';
