import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Coding = 'br' | 'gzip' | 'identity';

const order: Coding[] = ['br', 'gzip', 'identity']; // browsers list gzip first, but br compresses better

/** Clients of one kind send the same header value, so each value is parsed once and cached. */
const parsed = new LRUCache<string, readonly Coding[]>({ max: 500 });

/**
 * The content codings we support that a request accepts, the preferred one first: whole names and q-values count, and
 * `br` comes before `gzip` at equal weight. Only `identity` without the header. Source: RFC 9110 §12.5.3.
 */
export function acceptedCodings(headers: IncomingHttpHeaders): readonly Coding[] {
  const text = headers['accept-encoding'];
  if (!text) return ['identity'];
  let codings = parsed.get(text);
  if (!codings) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': text } });
    codings = negotiator.encodings([...order], { preferred: [...order] }) as Coding[];
    parsed.set(text, codings);
  }
  return codings;
}
