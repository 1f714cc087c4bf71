import type { MessageKey } from '#content/keys.ts';
import type { Status } from '#db/catalogue/projects/rules.ts';

interface ReviewText {
  text: MessageKey;
  tone: 'good' | 'note' | 'warn' | 'bad';
}
const isApproved = { text: 'threads.text_approved', tone: 'good' } as const;

/** What each status means for its members. Source: screens §A.4 (moderation tab). */
export const reviewTexts: Readonly<Record<Status, ReviewText>> = {
  approved: isApproved,
  archived: isApproved,
  unlisted: isApproved,
  private: isApproved,
  draft: { text: 'threads.text_draft', tone: 'note' },
  processing: { text: 'threads.text_processing', tone: 'warn' },
  rejected: { text: 'threads.text_rejected', tone: 'bad' },
  withheld: { text: 'threads.text_withheld', tone: 'bad' },
  scheduled: { text: 'threads.text_scheduled', tone: 'note' },
  unknown: { text: 'project.unknown_text', tone: 'warn' },
};
