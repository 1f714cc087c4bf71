import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin, isModerator } from '../people/rules.ts';

/** `unknown` is never stored: clients know it. Source: api-v3 §2.7. */
export const statuses = ['listed', 'unlisted', 'private', 'rejected', 'unknown'] as const;
export type Status = (typeof statuses)[number];

/** What each status means. Source: api-behaviours §4; api-v3 §3.9. */
interface StatusTraits {
  /** Absent (404) for everybody but its owner and moderators. */
  hidden: boolean;
  /** In lists about its owner, and for search engines. */
  listed: boolean;
  /** Its owner may choose it, and leave it. */
  owner_only: boolean;
}
const traits = (hidden: boolean, listed: boolean, owner_only: boolean): StatusTraits => ({
  hidden,
  listed,
  owner_only,
});

export const statusTraits: Record<Status, StatusTraits> = {
  //              hidden listed own
  listed: traits(false, true, true),
  unlisted: traits(false, false, true),
  private: traits(true, false, true),
  rejected: traits(true, false, false),
  unknown: traits(true, false, false),
};

/** Collections a person may have; admins as many as they like. Source: api-v2 §1.8. */
export const perPerson = 32;

/** The collection of what oneself follows has this id. Source: screens §A.4. */
export const followingId = 'following';

/** What the rules look at: whose it is, its status, how many of its projects the viewer may see. */
interface ViewedCollection {
  user: string;
  status: Status;
  projects: number;
}
type Viewer = Actor | null;

/** Owners and moderators stand inside a collection. Source: api-v3 §3.9. */
const isInside = (user: string, viewer: Viewer): boolean => viewer?.user_id === user || isModerator(viewer);

/** Private, rejected and empty ones do not exist for others. Source: api-behaviours §4. */
export function whyNotSeeCollection(
  { user, status, projects }: ViewedCollection,
  viewer: Viewer,
): RefusalCode | null {
  if (isInside(user, viewer)) return null;
  return statusTraits[status].hidden || projects === 0 ? 'not_found' : null;
}

/** Being in the list about its owner: unlisted ones need the address. Source: api-v3 §3.7. */
export function whyNotListCollection(collection: ViewedCollection, viewer: Viewer): RefusalCode | null {
  const absent = whyNotSeeCollection(collection, viewer);
  if (absent || isInside(collection.user, viewer)) return absent;
  return statusTraits[collection.status].listed ? null : 'not_found';
}

/** Changing and deleting: what one cannot see does not exist, what one can see is still its owner's. Source: api-v3 §3.9. */
export function whyNotChangeCollection(collection: ViewedCollection, viewer: Viewer): RefusalCode | null {
  const absent = whyNotSeeCollection(collection, viewer);
  return absent ?? (isInside(collection.user, viewer) ? null : 'not_yours');
}

/** Owners move between their own statuses; what moderators rejected only they give back. Source: api-v3 §3.9. */
export function whyNotMoveCollection(from: Status, to: Status, viewer: Viewer): RefusalCode | null {
  if (from === to || isModerator(viewer)) return null;
  return statusTraits[from].owner_only && statusTraits[to].owner_only ? null : 'moderators_only';
}

/** One more for somebody who has `owned`. Source: api-v2 §1.8; api-v3 §3.9. */
export function whyNotCreateCollection(owned: number, actor: Actor): RefusalCode | null {
  if (!actor.email_verified) return 'email_unverified';
  return owned < perPerson || isAdmin(actor) ? null : 'limit_reached';
}
