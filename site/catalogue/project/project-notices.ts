import type { MessageKey } from '#content/messages.ts';
import type { Status } from '#db/catalogue/projects/rules.ts';

export interface Notice {
  title: MessageKey;
  /** The label beside the name. */
  word: MessageKey;
  text: MessageKey;
  tone: 'note' | 'warn' | 'bad';
}

/** What a project's page says about a status that is not plainly public. Source: screens §A.4; specification §4. */
const notices: Record<Exclude<Status, 'approved'>, Notice> = {
  archived: {
    title: 'project.archived_title',
    word: 'project.archived_word',
    text: 'project.archived_text',
    tone: 'note',
  },
  unlisted: {
    title: 'project.unlisted_title',
    word: 'project.unlisted_title',
    text: 'project.unlisted_text',
    tone: 'note',
  },
  private: {
    title: 'project.private_title',
    word: 'project.private_title',
    text: 'project.private_text',
    tone: 'note',
  },
  draft: {
    title: 'project.draft_title',
    word: 'project.draft_title',
    text: 'project.draft_text',
    tone: 'note',
  },
  processing: {
    title: 'project.processing_title',
    word: 'project.processing_title',
    text: 'project.processing_text',
    tone: 'warn',
  },
  rejected: {
    title: 'project.rejected_title',
    word: 'project.rejected_title',
    text: 'project.rejected_text',
    tone: 'bad',
  },
  withheld: {
    title: 'project.withheld_title',
    word: 'project.withheld_title',
    text: 'project.withheld_text',
    tone: 'bad',
  },
  scheduled: {
    title: 'project.scheduled_title',
    word: 'project.scheduled_title',
    text: 'project.scheduled_text',
    tone: 'note',
  },
  unknown: {
    title: 'project.unknown_title',
    word: 'project.unknown_title',
    text: 'project.unknown_text',
    tone: 'warn',
  },
};

const legalHold: Notice = {
  title: 'project.held_title',
  word: 'project.held_word',
  text: 'project.held_text',
  tone: 'bad',
};

/** The notice for a status; with `isHeld`, that of the legal hold. */
export const noticeOf = (status: Status, isHeld: boolean): Notice | null =>
  isHeld ? legalHold : status === 'approved' ? null : notices[status];
