import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import type { AppServices } from '../context.ts';
import type { Freshness, Making } from '../http/freshness.ts';
import { KeptOrMade, type Made } from '../http/kept-or-made.ts';
import { SingleFlight } from '../http/page-cache/single-flight.ts';
import { ttl } from '../http/page-cache/ttl.ts';
import { savedHeaders } from '../http/saved-headers.ts';
import type { ApiLimiter } from '../route/api-limiter.ts';
import { acceptedCoding } from './accepted-coding.ts';
import { type AnswerKey, answerKey, isAnonymous } from './answer-key.ts';
import type { AnswerStore } from './answer-store.ts';
import { tagsOfAnswer } from './answer-tags.ts';
import { isZippable, type ReadyAnswer, readyAnswer, send, sendSaved, withZipped } from './ready-answer.ts';
import { readyRecords } from './ready-records.ts';
import type { Records } from './records.ts';
import { requestAccount } from './request-account.ts';

type Fetch = (request: Request, env: { incoming: IncomingMessage }) => Response | Promise<Response>;

export interface ReadyAnswers {
  /** Answers at once when there are bytes that are known to be right. `own` are headers of this answer: name, value. */
  sendIfReady(req: IncomingMessage, res: ServerResponse, own: readonly string[]): boolean;
  /**
   * Makes the answer once for all who ask for it, or sends a saved one while the database is away; false when the API has
   * to answer itself.
   */
  serve(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
  stats(): { hits: number; misses: number };
}

export interface ReadyAnswersOptions {
  services: Pick<AppServices, 'settings' | 'now'>;
  /** The API, for what is not ready. */
  fetch: Fetch;
  limiter: ApiLimiter;
  freshness: Freshness;
  store: AnswerStore<ReadyAnswer>;
  /** For answers of many things. */
  records: Records;
  addressOf(req: IncomingMessage): string;
}

/** Longer answers are streamed by the API and never kept. */
const max_bytes = 512 * 1024;

/**
 * Answers of the API to anonymous reads of projects, versions and tag lists, as bytes in memory (API_STORE_BYTES); those
 * that hold many things are put together from parts (`ready-records.ts`). Whole ones are
 * what the API itself answered to a bare request for their address, and are dropped by the same events, under the same
 * rule, as pages (`http/freshness.ts`); counters may lag a minute. Only what was found is kept. Every request counts for
 * the rate limit. Requests with a token or a session, refusals and long answers are left to the API. While the database is
 * away the last bytes are sent as saved copies. Source: api-behaviours §14.
 */
export function readyAnswers({
  services,
  fetch,
  limiter,
  freshness,
  store,
  records,
  addressOf,
}: ReadyAnswersOptions): ReadyAnswers {
  const { settings, now } = services;
  const account = requestAccount(limiter, addressOf);
  const many = readyRecords(records, account);
  const answers = new KeptOrMade<ReadyAnswer>(freshness);
  const zips = new SingleFlight<ReadyAnswer>();
  /** Answers that are too long to keep. */
  const long = new LRUCache<string, true>({ max: 10_000, ttl: 60_000 });

  async function make(
    key: AnswerKey,
    incoming: IncomingMessage,
    { begun_ms: made_ms }: Making,
  ): Promise<Made<ReadyAnswer> | null> {
    const response = await fetch(new Request(settings.SITE_URL + key.url), { incoming });
    if (response.status >= 500) return null;
    const body = await bodyWithin(response, max_bytes);
    if (!body) {
      long.set(key.url, true);
      return null;
    }
    const found = response.status === 200 ? tagsOfAnswer(key, body) : null;
    const tags = found ?? [];
    const value = readyAnswer(response, body, { tags, until: made_ms + ttl.other, made_ms });
    return { value, tags, keep: () => void (found && store.save(key.url, value)) };
  }

  /** Compresses an answer for those who ask for it next. */
  async function zip(key: string, answer: ReadyAnswer): Promise<ReadyAnswer> {
    const zipped = await withZipped(answer);
    store.replace(key, answer, zipped);
    return zipped;
  }

  async function sendSavedIfAny(req: IncomingMessage, res: ServerResponse, key: AnswerKey): Promise<boolean> {
    const found = freshness.isStale() ? store.findLast(key.url) : null;
    const verdict = found && account.hit(req);
    if (!found || !verdict?.allowed) return false;
    answers.hits += 1;
    const right_until = Math.min(found.until, freshness.rightUntil());
    const marks = savedHeaders(found.made_ms, right_until, now().getTime());
    sendSaved(res, found, [...limiter.headersOf(verdict), ...marks]);
    return true;
  }

  return {
    sendIfReady(req, res, own) {
      if (req.method !== 'GET' || !isForEverybody(req) || !freshness.isKnownInSync()) return false;
      const coding = acceptedCoding(req);
      const key = answerKey(req.url ?? '');
      if (!key) {
        const isSent = many.sendIfReady(req, res, coding, own);
        if (isSent) answers.hits += 1;
        return isSent;
      }
      const found = store.find(key.url, now().getTime());
      if (!found) return false;
      const isZipped = coding === 'gzip' && isZippable(found);
      if (coding === 'other' || (isZipped && !found.zipped)) return false;
      const verdict = account.hit(req);
      if (!verdict.allowed) return false;
      answers.hits += 1;
      send(res, found, isZipped, account.headersOf(req, verdict, own));
      return true;
    },
    async serve(req, res) {
      if (!isForEverybody(req)) return false;
      const coding = acceptedCoding(req);
      const key = req.method === 'GET' ? answerKey(req.url ?? '') : null;
      if (!key) {
        const isSent = await many.serve(req, res, coding);
        if (isSent) answers.hits += 1;
        return isSent;
      }
      if (coding === 'other' || long.has(key.url)) return false;
      if (freshness.isAway()) return await sendSavedIfAny(req, res, key);
      const verdict = account.hit(req);
      const found =
        verdict.allowed &&
        (await answers.get({
          key: key.url,
          find: () => store.find(key.url, now().getTime()),
          make: (making) => make(key, req, making),
        }));
      if (!found) return freshness.isAway() && (await sendSavedIfAny(req, res, key));
      const isZipped = coding === 'gzip' && isZippable(found);
      const answer = isZipped && !found.zipped ? await zips.run(key.url, () => zip(key.url, found)) : found;
      send(res, answer, isZipped, account.headersOf(req, verdict));
      return true;
    },
    stats: () => ({ hits: answers.hits, misses: answers.misses }),
  };
}

/** A name and perhaps a port; what is no address is left to the API, which refuses it. */
const host = /^[\w.-]+(:\d{1,5})?$/;

const isForEverybody = (req: IncomingMessage): boolean =>
  isAnonymous(req) && host.test(req.headers.host ?? '');

/** The body in memory of its own; null when it is longer than `limit_bytes`. */
async function bodyWithin(response: Response, limit_bytes: number): Promise<Buffer | null> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    size += next.value.length;
    if (size > limit_bytes) {
      await reader?.cancel();
      return null;
    }
    chunks.push(next.value);
  }
  const body = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
