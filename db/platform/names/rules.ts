import type { KeptKind } from './kept.ts';

export const keptKinds = ['project', 'user', 'organization'] as const satisfies readonly KeptKind[];

/** For how many days staff are warned before they release a name: programs and people still know who had it. */
const kept_days = 90;

/** How many characters the reason of a release has at most. */
export const max_release_reason = 500;

/** How many of the days are left for a name that is kept since then. */
export const daysLeft = (since: string, now: Date): number =>
  Math.max(0, Math.ceil(kept_days - (now.getTime() - Date.parse(since)) / 86_400_000));
