import { isAscii } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous_headers } from '../route/middleware.ts';
import type { AcceptedCoding } from './accepted-coding.ts';
import { firstValues } from './answer-key.ts';
import { isZippable, type ReadyAnswer, send, withZipped } from './ready-answer.ts';
import type { Records } from './records.ts';
import type { RequestAccount } from './request-account.ts';

/** Answers of many versions or projects, put together from parts that are known to be right. */
export interface ReadyRecords {
  /** Answers a GET at once. `own` are headers of this answer: name, value. */
  sendIfReady(
    req: IncomingMessage,
    res: ServerResponse,
    coding: AcceptedCoding,
    own: readonly string[],
  ): boolean;
  /** Answers a GET or POST; false when the API has to, for which the body of `req` is still there. */
  serve(req: IncomingMessage, res: ServerResponse, coding: AcceptedCoding): Promise<boolean>;
}

const fixed = Object.entries({ 'content-type': 'application/json', ...anonymous_headers }).flat();

/**
 * Answers requests for many things whose parts are all in memory, as the routes that offered them to `records` would. Bad
 * requests, those over the rate limit, and missing parts are left to those routes.
 */
export function readyRecords(records: Records, account: RequestAccount): ReadyRecords {
  /** The answer to what a request asks, counted; null when the route has to give it. */
  function answerTo(req: IncomingMessage, route: string, read: () => unknown): ReadyAnswer | null {
    const offered = records.routeOf(route);
    const given = offered && read();
    const parsed = given === undefined ? null : offered?.shape.safeParse(given);
    const body = parsed?.success && offered ? records.ready(offered.ask(parsed.data)) : null;
    if (!body || !account.hit(req).allowed) return null;
    const headers = [...fixed, 'content-length', String(body.length)];
    return { status: 200, headers, body, zipped: null, tags: [], until: 0, made_ms: 0, bytes: 0 };
  }

  function sendCounted(
    req: IncomingMessage,
    res: ServerResponse,
    answer: ReadyAnswer,
    own: readonly string[] = [],
  ): void {
    account.chargeBytes(req, res);
    send(res, answer, answer.zipped !== null, account.headersOf(req, account.hit(req), own));
  }

  return {
    sendIfReady(req, res, coding, own) {
      if (coding !== 'identity' || req.method !== 'GET') return false;
      const [path, query] = targetOf(req);
      const answer = query === undefined ? null : answerTo(req, `GET ${path}`, () => firstValues(query));
      if (!answer) return false;
      sendCounted(req, res, answer, own);
      return true;
    },
    async serve(req, res, coding) {
      if (coding === 'other') return false;
      const [path, query] = targetOf(req);
      const route = `${req.method} ${path}`;
      if (!records.routeOf(route)) return false;
      let answer: ReadyAnswer | null = null;
      if (req.method === 'GET') answer = answerTo(req, route, () => firstValues(query ?? ''));
      else
        await takeBody(req, (body) => {
          answer = answerTo(req, route, () => json(body));
          return answer !== null;
        });
      answer = answer as ReadyAnswer | null; // what a callback assigns is not followed
      if (!answer) return false;
      sendCounted(req, res, coding === 'gzip' && isZippable(answer) ? await withZipped(answer) : answer);
      return true;
    },
  };
}

const targetOf = ({ url = '' }: IncomingMessage): [path: string, query: string | undefined] => {
  const at = url.indexOf('?');
  return at < 0 ? [url, undefined] : [url.slice(0, at), url.slice(at + 1)];
};

/** ASCII as JSON; undefined when it is none. */
function json(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('latin1'));
  } catch {
    return undefined;
  }
}

/** How long a body may be that is read here; longer ones are left to the route. */
const max_bytes = 64 * 1024;
/** How long a client may take to send it; slower ones are judged by the route. */
const patience_ms = 500;

/**
 * Waits until the whole body of `req` is there, and gives it to `take`. What `take` does not want (false) stays in `req` as
 * if nobody had read it, as do bodies that are long, slow, or hold more than ASCII.
 */
async function takeBody(req: IncomingMessage, take: (body: Buffer) => boolean): Promise<boolean> {
  const length = Number(req.headers['content-length']);
  if (!(length > 0 && length <= Math.min(max_bytes, req.readableHighWaterMark))) return false;
  if (req.readableLength < length) await filled(req, length);
  if (req.readableLength !== length) return false;
  const body = req.read() as Buffer | null;
  if (!body) return false;
  // in the turn in which it was read, nobody was told of the end
  const isTaken = isAscii(body) && take(body);
  if (!isTaken) req.unshift(body);
  return isTaken;
}

const filled = (req: IncomingMessage, length: number): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer);
      req.off('readable', look).off('close', end);
      done();
    };
    const look = () => {
      if (req.readableLength >= length) end();
    };
    const timer = setTimeout(end, patience_ms);
    req.on('readable', look).once('close', end);
  });
