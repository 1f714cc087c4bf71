import type { MessageKey } from '#content/messages.ts';
import type { Status } from '#db/catalogue/collections/rules.ts';

interface Badge {
  name: MessageKey;
  /** The explanation, for the tooltip. */
  text: MessageKey;
  tone: '' | 'good' | 'warn' | 'bad';
}

/** The badge of a collection's status; none for a listed one. Source: screens §A.4. */
const badges: Record<Status, Badge | null> = {
  listed: null,
  unlisted: { name: 'collection.unlisted', text: 'collection.unlisted_text', tone: 'warn' },
  private: { name: 'collection.private', text: 'collection.private_text', tone: '' },
  rejected: { name: 'collection.rejected', text: 'collection.rejected_text', tone: 'bad' },
  unknown: null,
};

export const badgeOf = (status: Status): Badge | null => badges[status];

/** What an owner may make of a collection: its name and what that means. */
export const statusChoices = {
  listed: ['create.public', 'create.collection_public_text'],
  unlisted: ['create.unlisted', 'create.unlisted_text'],
  private: ['create.private', 'create.collection_private_text'],
} as const satisfies Partial<Record<Status, readonly [MessageKey, MessageKey]>>;
