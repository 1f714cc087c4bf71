import type { RefusalCode } from '../errors.ts';
import { type Actor, isAdmin, isModerator } from '../people/rules.ts';

/** `unknown` is never stored: clients know it. Source: api-v3 §2.7. */
export const statuses = ['listed', 'unlisted', 'private', 'rejected', 'unknown'] as const;
export type Status = (typeof statuses)[number];

/** What each status means. Source: api-behaviours §4; api-v3 §3.9. */
interface Meaning {
  /** Absent (404) for everybody but its owner and moderators. */
  hidden: boolean;
  /** In lists about its owner, and for search engines. */
  listed: boolean;
  /** Its owner may choose it, and leave it. */
  own: boolean;
}
const mean = (hidden: boolean, listed: boolean, own: boolean): Meaning => ({ hidden, listed, own });

export const meanings: Record<Status, Meaning> = {
  //              hidden listed own
  listed: mean(false, true, true),
  unlisted: mean(false, false, true),
  private: mean(true, false, true),
  rejected: mean(true, false, false),
  unknown: mean(true, false, false),
};

/** Collections a person may have; admins as many as they like. Source: api-v2 §1.8. */
export const perPerson = 32;

/** The collection of what oneself follows has this id. Source: screens A.4. */
export const followingId = 'following';

/** What the rules look at: whose it is, its status, how many of its projects the viewer may see. */
interface Seen {
  user: string;
  status: Status;
  projects: number;
}
type Viewer = Actor | null;

/** Owners and moderators stand inside a collection. Source: api-v3 §3.9. */
const isInside = (user: string, viewer: Viewer): boolean => viewer?.user_id === user || isModerator(viewer);

export const whyNot = {
  /** Private, rejected and empty ones do not exist for others. Source: api-behaviours §4. */
  see({ user, status, projects }: Seen, viewer: Viewer): RefusalCode | null {
    if (isInside(user, viewer)) return null;
    return meanings[status].hidden || projects === 0 ? 'not_found' : null;
  },
  /** Being in the list about its owner: unlisted ones need the address. Source: api-v3 §3.7. */
  list(collection: Seen, viewer: Viewer): RefusalCode | null {
    const absent = whyNot.see(collection, viewer);
    if (absent || isInside(collection.user, viewer)) return absent;
    return meanings[collection.status].listed ? null : 'not_found';
  },
  /** Changing and deleting: what one cannot see does not exist, what one can see is still its owner's. Source: api-v3 §3.9. */
  change(collection: Seen, viewer: Viewer): RefusalCode | null {
    const absent = whyNot.see(collection, viewer);
    return absent ?? (isInside(collection.user, viewer) ? null : 'not_yours');
  },
  /** Owners move between their own statuses; what moderators rejected only they give back. Source: api-v3 §3.9. */
  move(from: Status, to: Status, viewer: Viewer): RefusalCode | null {
    if (from === to || isModerator(viewer)) return null;
    return meanings[from].own && meanings[to].own ? null : 'moderators_only';
  },
  /** One more for somebody who has `owned`. Source: api-v2 §1.8; api-v3 §3.9. */
  create(owned: number, actor: Actor): RefusalCode | null {
    if (!actor.email_verified) return 'email_unverified';
    return owned < perPerson || isAdmin(actor) ? null : 'limit_reached';
  },
};
