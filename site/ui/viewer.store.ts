import { atom } from 'nanostores';

/** Who looks at the page, as far as the page needs it. Source: `POST /_internal/viewer`. */
export interface Viewer {
  user: { username: string; avatar_url: string | null } | null;
  /** Those of the page's projects that the person follows. */
  follows: string[];
}

/** Null until it is known. */
export const $viewer = atom<Viewer | null>(null);
