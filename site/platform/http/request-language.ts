import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import { type Language, negotiate } from '../text/languages.ts';

/** The language of the answer to a request for `url`: its `hl`, else the `locale` cookie, else what the browser prefers. */
export function requestLanguage(url: string, headers: IncomingHttpHeaders): Language {
  const at = url.indexOf('?');
  return negotiate({
    // a path may contain `&hl=` too, and escapes that cannot be decoded
    hl: at === -1 ? null : new URLSearchParams(url.slice(at)).get('hl'),
    cookie: headers.cookie?.includes('locale=') ? parseCookie(headers.cookie).locale : null,
    accept: headers['accept-language'],
  });
}
