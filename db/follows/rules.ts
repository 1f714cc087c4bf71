import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin } from '../people/rules.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import type { Access } from '../teams/rules.ts';

/** Following is no right to see: who follows a project that was hidden later does not see it again. Source: api-behaviours §10. */
/** Once per person; own projects too; what one cannot see does not exist. Source: api-v2 §4. */
export function whyNotFollowProject(status: Status, access: Access, follows: boolean): RefusalCode | null {
  return whyNotSeeProject(status, access) ?? (follows ? 'already_following' : null);
}

/** Also from a project that was hidden since. Source: api-v2 §4. */
export function whyNotUnfollowProject(follows: boolean): RefusalCode | null {
  return follows ? null : 'not_following';
}

/** What somebody follows is their own affair; moderators are not enough. Source: api-behaviours §4. */
export function whyNotListFollows(viewer: Actor, user_id: string): RefusalCode | null {
  return viewer.user_id === user_id || isAdmin(viewer) ? null : 'not_yours';
}
