import type { IncomingMessage } from 'node:http';
import { parseCookie } from 'cookie';
import { defaultLanguage, negotiate } from '../text/languages.ts';
import { isStaticPath, localizedPath, static_folder } from './addresses.ts';

/** The address under which Vite renders a request in development: that of the build for pages that are prerendered. */
export function devAddress({ url = '/', headers }: IncomingMessage): string {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  if (!isStaticPath(path)) return url;
  const query = at === -1 ? '' : url.slice(at);
  const { tag } = negotiate({
    hl: new URLSearchParams(query).get('hl'),
    cookie: parseCookie(headers.cookie ?? '').locale,
    accept: headers['accept-language'],
  });
  return static_folder + localizedPath(path, tag, defaultLanguage.tag) + query;
}
