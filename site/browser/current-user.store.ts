import { atom } from 'nanostores';

/** The person before the page, as far as every page needs it. */
export interface CurrentUser {
  username: string;
  avatar_url: string | null;
}

/** Who looks at the page, as far as the page needs it. Source: design §4.4. */
export interface Viewer {
  user: CurrentUser | null;
  /** Those of the page's projects that the person follows. */
  follows: string[];
  /** What the person is to the project whose page it is; null for strangers and on other pages. */
  project: { permissions: number; member: boolean } | null;
}

/** Null until it is known. */
export const $viewer = atom<Viewer | null>(null);

const stored = 'viewer';

/** Whoever looked last in this browser; null when nobody did or nothing can be kept. */
export function lastUser(): CurrentUser | null {
  try {
    return parseUser(localStorage.getItem(stored));
  } catch {
    return null;
  }
}

/** Keeps who looks for the first moments of the next page; an empty name says that there is somebody. */
export function rememberUser(person: CurrentUser | null): void {
  try {
    if (person) localStorage.setItem(stored, JSON.stringify(person));
    else localStorage.removeItem(stored);
  } catch {} // the next page asks anyway
}

/** The person in a kept text; null for nobody and for what is no such text. Never throws. */
export function parseUser(text: string | null): CurrentUser | null {
  try {
    const { username, avatar_url } = Object(JSON.parse(text ?? 'null')) as Record<string, unknown>;
    if (typeof username !== 'string' || username === '') return null;
    return { username, avatar_url: typeof avatar_url === 'string' ? avatar_url : null };
  } catch {
    return null;
  }
}
