import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import Negotiator from 'negotiator';
import { Refused } from '#db/platform/errors.ts';
import type { AppServices } from '../context.ts';
import { addressReader } from '../http/address.ts';
import type { ApiLimiter } from './api-limiter.ts';
import { requestCost } from './request-cost.ts';
import type { ApiEnv } from './types.ts';

/** Middleware of every API route. Headers are set before the route runs, which is cheaper than after it. */
type Middleware = MiddlewareHandler<ApiEnv>;

/** What every answer of the public API to somebody who is not signed in has besides its own headers. */
export const anonymous_headers = {
  'x-content-type-options': 'nosniff',
  vary: 'Authorization, Cookie',
  'access-control-allow-origin': '*',
} as const;

/** Sets services, request id and the client's address on the context. */
export function context(services: AppServices): Middleware {
  const addressOf = addressReader(services.settings.TRUST_PROXY);
  return async (c, next) => {
    const bindings = c.env as Partial<HttpBindings> | undefined;
    const request_id = String(bindings?.outgoing?.getHeader('x-request-id') ?? randomUUID());
    c.set('services', services);
    c.set('request_id', request_id);
    c.set('address', addressOf(bindings?.incoming));
    c.header('x-request-id', request_id);
    c.header('x-content-type-options', anonymous_headers['x-content-type-options']);
    c.header('vary', anonymous_headers.vary);
    // a personal answer stays in no cache, that of the browser included
    if (c.req.header('authorization') || c.req.header('cookie'))
      c.header('cache-control', 'private, no-store');
    await next();
  };
}

/**
 * Limits requests by network address, with rate limit headers on every answer, preflights (which do not count)
 * included. Source: api-v2 §1.4.
 */
export function limited(limiter: ApiLimiter): Middleware {
  return async (c, next) => {
    const { incoming, outgoing } = (c.env ?? {}) as Partial<HttpBindings>;
    const { type, bytes } = bodyOf(c.req.raw.headers);
    const counted = {
      address: c.get('address'),
      key: c.req.header('x-ratelimit-key'),
      cost: c.req.method === 'OPTIONS' ? 0 : requestCost(c.req.url, { type, bytes }),
    };
    const verdict = limiter.hitOnce(incoming, counted);
    if (outgoing && counted.cost > 0) limiter.chargeBytes(outgoing, counted);
    const headers = limiter.headersOf(verdict);
    for (let at = 0; at < headers.length; at += 2) c.header(headers[at]!, headers[at + 1]!);
    if (!verdict.allowed) {
      const { retry_after_ms } = verdict;
      throw new Refused('rate_limited', {
        retry_after_ms,
        retry_after_seconds: Math.ceil(retry_after_ms / 1000),
      });
    }
    await next();
  };
}

const bodyOf = (headers: Headers) => ({
  type: headers.get('content-type') ?? '',
  bytes: Number(headers.get('content-length') ?? 0),
});

const methods = 'GET,POST,PUT,PATCH,DELETE,HEAD,OPTIONS';

/** Any origin may read every answer, refusals included; no credentials. Source: api-v2 §1.3. */
export const anyOrigin: Middleware = async (c, next) => {
  c.header('access-control-allow-origin', anonymous_headers['access-control-allow-origin']);
  await next();
};

/** Answers CORS preflights: any header, any method, cached for an hour. */
export const preflight: Middleware = async (c, next) => {
  if (c.req.method !== 'OPTIONS') return await next();
  c.header('access-control-allow-methods', methods);
  c.header('access-control-allow-headers', c.req.header('access-control-request-headers') ?? '*');
  c.header('access-control-max-age', '3600');
  c.header('vary', 'Access-Control-Request-Headers', { append: true });
  return c.body(null, 204);
};

/** Shorter answers are sent as they are. */
export const compressed_from_bytes = 1024;
const compressing = compress({ threshold: compressed_from_bytes }) as Middleware;

/** Compresses responses of a kilobyte and more for clients that accept it. */
export const compressed: Middleware = async (c, next) => {
  const accepted = c.req.header('accept-encoding');
  // Hono's middleware compares names only: `gzip;q=0` would be compressed although the client refuses it
  const refused = !accepted || (accepted.includes('q=0') && !accepts(accepted));
  return refused ? await next() : await compressing(c, next);
};

const accepts = (accepted: string): boolean =>
  new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['gzip', 'deflate']).length > 0;

/** HEAD answers what GET does; the body that nobody reads is given up. */
export const bodiless: Middleware = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
};
