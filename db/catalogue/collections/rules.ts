import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../platform/people/rules.ts';

/** `unknown` is never stored, but clients know it. Source: api-v3 §2.7. */
export const statuses = ['listed', 'unlisted', 'private', 'rejected', 'unknown'] as const;
export type Status = (typeof statuses)[number];

/** Meaning of each status. Source: api-behaviours §4; api-v3 §3.9. */
interface StatusTraits {
  /** Not found (404) for everyone but its owner and moderators. */
  hidden: boolean;
  /** In lists of its owner, and open to search engines. */
  listed: boolean;
  /** The owner may set and leave it. */
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

/** Maximum collections of a user; unlimited for admins. Source: api-v2 §1.8. */
export const perPerson = 32;

/** Id of the virtual collection of followed projects. Source: screens §A.4. */
export const followingId = 'following';

/** Input of the rules: owner, status, number of projects the viewer may see. */
interface ViewedCollection {
  user: string;
  status: Status;
  projects: number;
}
type Viewer = Actor | null;

/** Owners and moderators are insiders of a collection. Source: api-v3 §3.9. */
const isInside = (user: string, viewer: Viewer): boolean => viewer?.user_id === user || isModerator(viewer);

/** Private, rejected and empty collections do not exist for others. Source: api-behaviours §4. */
export function whyNotSeeCollection(
  { user, status, projects }: ViewedCollection,
  viewer: Viewer,
): RefusalCode | null {
  if (isInside(user, viewer)) return null;
  return statusTraits[status].hidden || projects === 0 ? 'not_found' : null;
}

/** Listed on its owner's profile; unlisted ones need the URL. Source: api-v3 §3.7. */
export function whyNotListCollection(collection: ViewedCollection, viewer: Viewer): RefusalCode | null {
  const absent = whyNotSeeCollection(collection, viewer);
  if (absent || isInside(collection.user, viewer)) return absent;
  return statusTraits[collection.status].listed ? null : 'not_found';
}

/**
 * Changing and deleting: an invisible collection does not exist; a visible one can be changed by insiders only.
 * Source: api-v3 §3.9.
 */
export function whyNotChangeCollection(collection: ViewedCollection, viewer: Viewer): RefusalCode | null {
  const absent = whyNotSeeCollection(collection, viewer);
  return absent ?? (isInside(collection.user, viewer) ? null : 'not_yours');
}

/** Owners change between their own statuses; only moderators can undo a rejection. Source: api-v3 §3.9. */
export function whyNotMoveCollection(from: Status, to: Status, viewer: Viewer): RefusalCode | null {
  if (from === to || isModerator(viewer)) return null;
  return statusTraits[from].owner_only && statusTraits[to].owner_only ? null : 'moderators_only';
}

/** Whether a user with `owned` collections may create another one. Source: api-v2 §1.8; api-v3 §3.9. */
export function whyNotCreateCollection(owned: number, actor: Actor): RefusalCode | null {
  if (!actor.email_verified) return 'email_unverified';
  return owned < perPerson || isAdmin(actor) ? null : 'limit_reached';
}
