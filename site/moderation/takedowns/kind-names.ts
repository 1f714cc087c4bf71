import type { MessageKey } from '#content/messages.ts';
import type { TakedownKind } from '#db/moderation/takedowns/rules.ts';

/** What a takedown is for, in words. */
export const takedownKindNames: Readonly<Record<TakedownKind, MessageKey>> = {
  copyright: 'takedowns.copyright',
  trademark: 'takedowns.trademark',
  privacy: 'takedowns.privacy',
  order: 'takedowns.order',
  other: 'takedowns.other',
};
