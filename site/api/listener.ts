import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/**
 * The API as a handler of node:http. Requests of HTTP/1.0 without a host count as ours; a request line or Host header
 * that makes no address is refused as JSON, like everything else. Source: api-v2 §1.5.
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
