import type { Messages } from '#content/messages.ts';
import { exactNumber } from '../text/format.ts';
import { count } from '../text/short-numbers.ts';

/** A follower count as it is shown, and its full text. */
export interface FollowerTexts {
  short: string;
  unit: string;
  long: string;
}

/** The number of followers one less, as it is, and one more: what a page shows around the user's own click (`follow.ts`). */
export const followerTexts = (messages: Messages, followers: number): FollowerTexts[] =>
  [-1, 0, 1].map((by) => {
    const number = Math.max(followers + by, 0);
    return {
      short: count(messages, number),
      unit: messages.t('project.followers', { count: number, shown: '' }),
      long: messages.t('project.followers', { count: number, shown: exactNumber(messages, number) }),
    };
  });
