import { Refused } from '#db/platform/errors.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { localPath } from '../../platform/http/local-path.ts';
import { launcherPath } from '../../platform/paths/sign-in-path.ts';

/** Where a sign-in leads back to: a page of ours, or a program that waits for the session. */
export type ReturnAddress = { kind: 'page'; path: string } | { kind: 'program'; url: string };

const thisComputer = ['localhost', '127.0.0.1', '[::1]'];
const max_length = 2048;

/**
 * The return address that `text` names: on this site, on this computer, or on a host of AUTH_RETURN_HOSTS, compared
 * exactly, not by the end of the name. Refuses `return_url_foreign` for everything else. Source: api-v3 §4 (GET init).
 */
export function returnAddress(text: string, settings: Settings): ReturnAddress {
  const refused = new Refused('return_url_foreign');
  // what browsers and servers read differently
  if (text.length > max_length || /[\\\s\p{Cc}]/u.test(text) || !/^https?:\/\/[^/]/i.test(text))
    throw refused;
  const url = URL.parse(text);
  if (url?.username !== '' || url.password !== '' || text.split(/[/?#]/, 3)[2]?.includes('@')) throw refused;
  if (url.origin === new URL(settings.SITE_URL).origin)
    return { kind: 'page', path: localPath(`${url.pathname}${url.search}`, settings.SITE_URL) };
  const local = thisComputer.includes(url.hostname);
  if (local && url.port === '0') throw refused;
  if (!local && (url.protocol !== 'https:' || !isListed(url.hostname, settings.AUTH_RETURN_HOSTS)))
    throw refused;
  url.hash = '';
  return { kind: 'program', url: url.href };
}

const isListed = (host: string, list: readonly string[]): boolean =>
  list.some((entry) => (entry.startsWith('.') ? host.endsWith(entry) : host === entry));

/** `url` with values added to its query. */
export function withQuery(url: string, values: Record<string, string>): string {
  const to = new URL(url);
  for (const [name, value] of Object.entries(values)) to.searchParams.set(name, value);
  return to.href;
}

/** Where a page of ours leads after signing in: the sign-in pages name it, others are it. */
export function afterSignIn(path: string, siteUrl: string, fallback = '/dashboard'): string {
  const url = new URL(path, siteUrl);
  if (url.pathname !== '/auth/sign-in' && url.pathname !== '/auth/sign-up') return path;
  return launcherPath(url.searchParams) ?? localPath(url.searchParams.get('redirect'), siteUrl, fallback);
}
