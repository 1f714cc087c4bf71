import type { MessageKey } from '#content/keys.ts';
import type { Status } from '#db/catalogue/projects/rules.ts';

/** The name of each status on badges. Source: specification §4. */
export const statusWords: Readonly<Record<Status, MessageKey>> = {
  approved: 'threads.status_approved',
  archived: 'project.archived_word',
  unlisted: 'project.unlisted_title',
  private: 'project.private_title',
  draft: 'project.draft_title',
  processing: 'project.processing_title',
  rejected: 'project.rejected_title',
  withheld: 'project.withheld_title',
  scheduled: 'project.scheduled_title',
  unknown: 'project.unknown_title',
};
