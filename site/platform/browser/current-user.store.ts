import { atom } from 'nanostores';

/** The current user, as far as every page needs it. */
export interface CurrentUser {
  username: string;
  avatar_url: string | null;
  /** `developer`, `moderator` or `admin`: decides only what menus show. */
  role: string;
  /** Whether a subscription could not be renewed: for `ui/scripts/first.js`. */
  unpaid?: boolean;
  /** Whether their address waits for a mailed link: likewise. */
  unverified?: boolean;
}

interface Membership {
  permissions: number;
  member: boolean;
}

/** The user and what belongs to them on this page. Source: design §4.4. */
export interface Viewer {
  user: (CurrentUser & { id: string }) | null;
  /** The followed ones among the page's projects and people. */
  follows: string[];
  /** Projects in the user's collections, those of the page first. */
  saved: string[];
  /** Unread notifications, counted up to 100. */
  unread: number;
  /** Whether the user has Plus now. */
  plus: boolean;
  /** A subscription of theirs could not be renewed. */
  unpaid: boolean;
  /** Their address while it waits for the link that was mailed to it. */
  unverified: string | null;
  /** The server that could not be renewed; null for Plus. */
  unpaid_for: string | null;
  /** Where they are, if a proxy in front of the site says so: ISO 3166. */
  country: string | null;
  /** The user's rights on the project of the page; null for non-members and on other pages. */
  project: Membership | null;
  /** The same on the organization of the page. */
  organization: Membership | null;
  /** An invitation into the team of the page that waits for an answer. */
  invitation: { team_id: string; role: string } | null;
}

/** Null while unknown. */
export const $viewer = atom<Viewer | null>(null);

const stored = 'viewer';

/** The last signed-in user of this browser; null without one or without storage. */
export function lastUser(): CurrentUser | null {
  try {
    return parseUser(localStorage.getItem(stored));
  } catch {
    return null;
  }
}

/**
 * Stores the user for the first moments of the next page; an empty name means a signed-in user whose name is unknown.
 */
export function rememberUser(person: CurrentUser | null): void {
  try {
    if (person) localStorage.setItem(stored, JSON.stringify(person));
    else localStorage.removeItem(stored);
  } catch {} // without storage the next page waits for the request
}

/** Parses a stored user; null for none and for invalid text. Never throws. */
export function parseUser(text: string | null): CurrentUser | null {
  try {
    const { username, avatar_url, role } = Object(JSON.parse(text ?? 'null')) as Record<string, unknown>;
    if (typeof username !== 'string' || username === '') return null;
    return {
      username,
      avatar_url: typeof avatar_url === 'string' ? avatar_url : null,
      role: typeof role === 'string' ? role : 'developer',
    };
  } catch {
    return null;
  }
}
