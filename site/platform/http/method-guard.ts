import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers 405 to every method that is not a read: pages are only read, forms go to the API. This includes methods that
 * the page renderer cannot represent (TRACE). Gives false when `req` is a read.
 */
export function refusesWrites({ method }: IncomingMessage, res: ServerResponse): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  res.writeHead(405, {
    allow: 'GET, HEAD',
    'cache-control': 'no-store',
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
  });
  res.end(JSON.stringify({ error: 'request_error', description: 'Pages are only read: use GET or HEAD.' }));
  return true;
}
