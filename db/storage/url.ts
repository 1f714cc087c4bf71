import type { Settings } from '../runtime/env.ts';

/** The settings on which the URLs of stored files depend. */
export type MediaSettings = Pick<Settings, 'CDN_URL'>;

/** The storage key of a version's file. Source: api-v2 §15 (CDN layout). */
export const versionFileKey = (project_id: string, version_id: string, filename: string): string =>
  `data/${project_id}/versions/${version_id}/${filename}`;

/** The public URL of a stored object: its key below CDN_URL, each part percent-encoded. */
export const mediaUrl = ({ CDN_URL }: MediaSettings, key: string): string =>
  `${CDN_URL}/${key.split('/').map(encodeURIComponent).join('/')}`;

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
