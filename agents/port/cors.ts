import type { IncomingMessage, ServerResponse } from 'node:http';

const methods = 'GET, HEAD, PATCH, DELETE, OPTIONS';
const allowed = [
  ...['accept-language', 'content-type', 'range', 'if-range', 'x-page-locale'],
  ...['tus-resumable', 'upload-offset', 'upload-length', 'upload-metadata'],
].join(', ');
const exposed = [
  ...['accept-ranges', 'content-disposition', 'content-length', 'content-range', 'etag', 'retry-after'],
  ...['tus-resumable', 'tus-version', 'tus-extension', 'upload-offset', 'upload-length'],
].join(', ');
/** Chromium keeps the answer for at most two hours. */
const max_age_s = '7200';

/**
 * Lets pages of the site read answers: headers for them are set. Gives false for a page of another origin, which gets nothing.
 * Requests without an origin are links that are followed, and programs: a ticket is enough for them.
 */
export function admitOrigin(req: IncomingMessage, res: ServerResponse, site: string | null): boolean {
  res.setHeader('vary', 'Origin');
  const { origin } = req.headers;
  if (origin === undefined) return true;
  if (origin !== site) return false;
  res.setHeader('access-control-allow-origin', origin);
  res.setHeader('access-control-expose-headers', exposed);
  if (req.method === 'OPTIONS') {
    res.setHeader('access-control-allow-methods', methods);
    res.setHeader('access-control-allow-headers', allowed);
    res.setHeader('access-control-max-age', max_age_s);
  }
  return true;
}
