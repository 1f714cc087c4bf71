import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, ghostId, isAdmin } from '../../platform/people/rules.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import type { Access } from '../teams/rules.ts';

/** What a follower hears of a project: as of all projects, only what was chosen for it, or nothing. */
export const followModes = ['global', 'own', 'none'] as const;
export type FollowMode = (typeof followModes)[number];

/**
 * Following grants no visibility: a follower of a project that was hidden later does not see it again. Source:
 * api-behaviours §10.
 */
/** Once per user; own projects too; hidden projects do not exist. Source: api-v2 §4; api-behaviours §4. */
export function whyNotFollowProject(status: Status, access: Access, follows: boolean): RefusalCode | null {
  if (whyNotSeeProject(status, access)) return 'project_unknown';
  return follows ? 'already_following' : null;
}

/** Also for a project that was hidden later. Source: api-v2 §4. */
export function whyNotUnfollowProject(status: Status, access: Access, follows: boolean): RefusalCode | null {
  if (follows) return null;
  return whyNotSeeProject(status, access) ? 'project_unknown' : 'not_following';
}

/** A user's follows are private; moderators may not list them either. Source: api-behaviours §4. */
export function whyNotListFollows(viewer: Actor, user_id: string): RefusalCode | null {
  return viewer.user_id === user_id || isAdmin(viewer) ? null : 'not_yours';
}

/** Maximum people that one user follows. */
export const people_per_user = 1000;

/** What the rule knows of the user who wants to follow another one. */
export interface PersonToFollow {
  user_id: string;
  followed_id: string;
  /** One of the two blocked the other; the refusal does not say who. */
  blocked: boolean;
  /** How many the user follows already. */
  count: number;
}

/** Anybody but oneself, those who want nothing to do with each other, and the account of deleted users. */
export function whyNotFollowUser({
  user_id,
  followed_id,
  blocked,
  count,
}: PersonToFollow): RefusalCode | null {
  if (user_id === followed_id) return 'follow_self';
  if (blocked || followed_id === ghostId) return 'user_not_followable';
  return count < people_per_user ? null : 'limit_reached';
}
