import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdNetwork } from '#db/money/ads/network.ts';

/** The style sheet that only browsers without scripts load, on pages with an ad. */
const signed_in_styles = '/ads/signed-in.css';
const session_cookie = /(?:^|; )(?:__Host-)?auth-token=[^;]/;

/**
 * Serves the pictures of ads from memory, and to browsers without scripts a style sheet that hides ads from whoever is
 * signed in: the page itself is the same for everybody. Gives true when it answered.
 */
export function adFiles(
  ads: AdNetwork | null,
): (req: IncomingMessage, res: ServerResponse, path: string) => boolean {
  return (req, res, path) => {
    if (!ads || !path.startsWith('/ads/') || (req.method !== 'GET' && req.method !== 'HEAD')) return false;
    const file = path === signed_in_styles ? signedIn(req) : ads.files.get(path);
    if (!file) return false;
    res.writeHead(200, {
      ...{ 'content-type': file.type, 'content-length': file.bytes.length },
      'cache-control':
        path === signed_in_styles ? 'private, no-store' : 'public, max-age=31536000, immutable',
      // a drawing may contain scripts, which must not run when somebody opens it by itself
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    res.end(req.method === 'HEAD' ? undefined : file.bytes);
    return true;
  };
}

const signedIn = ({ headers }: IncomingMessage) => ({
  type: 'text/css; charset=utf-8',
  bytes: Buffer.from(session_cookie.test(headers.cookie ?? '') ? '.ad-slot{display:none}' : ''),
});
