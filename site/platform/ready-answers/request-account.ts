import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Verdict } from '#db/platform/runtime/rate-limit.ts';
import type { ApiLimiter, Counted } from '../route/api-limiter.ts';
import { requestCost } from '../route/request-cost.ts';

/** How requests that are answered before the API count for its rate limit, as those that it answers. */
export interface RequestAccount {
  /** Counts a request, the first time. */
  hit(req: IncomingMessage): Verdict;
  /** Charges for a long answer. */
  chargeBytes(req: IncomingMessage, res: ServerResponse): void;
  /** The headers of one request's answer, after `own`: name, value. */
  headersOf(req: IncomingMessage, verdict: Verdict, own?: readonly string[]): string[];
}

/** The account of an API's requests in `limiter`. */
export function requestAccount(
  limiter: ApiLimiter,
  addressOf: (req: IncomingMessage) => string,
): RequestAccount {
  const countedOf = (req: IncomingMessage): Counted => ({
    address: addressOf(req),
    key: req.headers['x-ratelimit-key'],
    cost: requestCost(req.url ?? '', req.method === 'GET' ? null : bodyOf(req)),
  });
  return {
    hit: (req) => limiter.hitOnce(req, countedOf(req)),
    chargeBytes: (req, res) => limiter.chargeBytes(res, countedOf(req)),
    headersOf(req, verdict, own = []) {
      const headers = [...own, ...limiter.headersOf(verdict)];
      if (req.headers.cookie !== undefined) headers.push('cache-control', 'private, no-store');
      return headers;
    },
  };
}

const bodyOf = ({ headers }: IncomingMessage) => ({
  type: headers['content-type'] ?? '',
  bytes: Number(headers['content-length'] ?? 0),
});
