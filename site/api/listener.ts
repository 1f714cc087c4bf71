import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { recording } from '#db/platform/events/write.ts';
import type { Freshness } from '../platform/http/freshness.ts';

/** Answers a request of the API. */
export type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/**
 * The API as a handler of node:http. HTTP/1.0 requests without a host use SITE_URL; a request line or Host header that
 * is not a valid address is refused as JSON, like every other error. Source: api-v2 §1.5.
 */
export const apiListener = (fetch: Fetch, siteUrl: string) =>
  getRequestListener(fetch as Parameters<typeof getRequestListener>[0], {
    hostname: new URL(siteUrl).host,
    errorHandler: (error) => {
      if (!(error instanceof RequestError)) throw error;
      const description = 'The path or the Host header of the request makes no address.';
      return Response.json({ error: 'request_error', description }, { status: 400 });
    },
  });

/**
 * The API, whose writes are seen by every later read in this process: what they recorded is applied to the stores of
 * `freshness` before they are answered, also when the subscription lags. Source: api-behaviours §14.
 */
export const appliedBefore =
  (fetch: Fetch, freshness: Pick<Freshness, 'sync'>): Fetch =>
  (request, env) => {
    if (request.method === 'GET') return fetch(request, env);
    const noted = { recorded: false };
    return recording.run(noted, async () => {
      const response = await fetch(request, env);
      if (noted.recorded) await freshness.sync();
      return response;
    });
  };
