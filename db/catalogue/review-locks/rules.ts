import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../platform/people/rules.ts';

/** How long nobody else reviews a project after its reviewer last acted. Source: api-v3 §5. */
export const lock_ms = 15 * 60_000;

/** A lock on a project under review. */
export interface ReviewLock {
  moderator_id: string;
  expires_at: Date;
}

/** Whether the lock still counts: up to its end, not at it. */
export const isLive = ({ expires_at }: Pick<ReviewLock, 'expires_at'>, now: Date): boolean =>
  expires_at > now;

/** The queue, locks and decisions are for moderators. Source: api-v3 §5. */
export const whyNotReview = (actor: Actor | null): RefusalCode | null => {
  if (!actor) return 'authentication_required';
  return isModerator(actor) ? null : 'moderators_only';
};

/** Only administrators end the locks of all moderators at once. Source: api-v3 §5. */
export const whyNotClearLocks = (actor: Actor): RefusalCode | null => {
  if (!isModerator(actor)) return 'moderators_only';
  return isAdmin(actor) ? null : 'admins_only';
};

/** Nobody decides about a project while somebody else holds a live lock on it: they take the lock over first. */
export const whyNotDecide = (
  lock: ReviewLock | null,
  { user_id }: Pick<Actor, 'user_id'>,
  now: Date,
): RefusalCode | null =>
  lock !== null && isLive(lock, now) && lock.moderator_id !== user_id ? 'review_locked' : null;

/** A change of status past the review screens: the same, but administrators need no lock. Source: api-behaviours §3. */
export const whyNotMoveLocked = (lock: ReviewLock | null, actor: Actor, now: Date): RefusalCode | null =>
  isAdmin(actor) ? null : whyNotDecide(lock, actor, now);
