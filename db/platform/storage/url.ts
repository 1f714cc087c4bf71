import type { Settings } from '../runtime/env.ts';

/** The settings on which the URLs of stored files depend. */
export type MediaSettings = Pick<Settings, 'CDN_URL'>;

/** The storage key of a version's file. Source: api-v2 §15 (CDN layout). */
export const versionFileKey = (project_id: string, version_id: string, filename: string): string =>
  `data/${project_id}/versions/${version_id}/${filename}`;

/** The public URL of a stored object: its key below CDN_URL, each part percent-encoded. */
export const mediaUrl = ({ CDN_URL }: MediaSettings, key: string): string =>
  `${CDN_URL}/${key.split('/').map(encodeURIComponent).join('/')}`;

/** The parameter in the address of a hidden file that holds its key. */
export const fileKeyParameter = 'access';

/** `mediaUrl` for an optional key. */
export const mediaUrlOrNull = (settings: MediaSettings, key: string | null): string | null =>
  key === null ? null : mediaUrl(settings, key);

/** The key of an object from its public URL; the inverse of `mediaUrl`. */
export const mediaKey = ({ CDN_URL }: MediaSettings, url: string): string =>
  url
    .slice(CDN_URL.length + 1)
    .split('/')
    .map(decodeURIComponent)
    .join('/');

/** The key in a URL that a client sent; null when it is no URL of ours. */
export function mediaKeyOrNull(settings: MediaSettings, url: string): string | null {
  if (!url.startsWith(`${settings.CDN_URL}/`)) return null;
  try {
    return storable(mediaKey(settings, url));
  } catch {
    return null; // a percent sign that encodes nothing
  }
}

/** Postgres cannot store U+0000 and lone surrogates, nor compare with them. */
const storable = (text: string): string | null => (text.includes('\0') || !text.isWellFormed() ? null : text);
