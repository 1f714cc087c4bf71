import type { IncomingMessage } from 'node:http';
import { requestLanguage } from '../http/request-language.ts';
import { defaultLanguage } from '../text/languages.ts';
import { isStaticPath, localizedPath, static_folder } from './addresses.ts';

/** The address under which Vite renders a request in development: that of the build for pages that are prerendered. */
export function devAddress({ url = '/', headers }: IncomingMessage): string {
  const at = url.indexOf('?');
  const path = at === -1 ? url : url.slice(0, at);
  if (!isStaticPath(path)) return url;
  const query = at === -1 ? '' : url.slice(at);
  const { tag } = requestLanguage(url, headers);
  return static_folder + localizedPath(path, tag, defaultLanguage.tag) + query;
}
