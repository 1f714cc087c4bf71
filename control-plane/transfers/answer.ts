import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { toRefused } from '#db/platform/postgres/to-refused.ts';

/** Sends JSON: nothing, or a refusal. What has begun already is cut off, so that it does not look complete. */
export function sendJson(res: ServerResponse, status: number, body: object = {}): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  res
    .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify(body));
}

/** Answers a refusal with its code and text; anything else is a bug, logged here once. */
export function sendRefusal(res: ServerResponse, error: unknown, log: Logger): void {
  const refused = toRefused(error);
  if (!refused) log.error({ err: error }, 'Transfer failed');
  sendJson(res, refused?.status ?? 500, {
    error: refused?.code ?? 'internal_error',
    description: refused?.message ?? 'Try again.',
  });
}
