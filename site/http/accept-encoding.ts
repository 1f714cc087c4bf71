import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export type Coding = 'br' | 'gzip' | 'identity';

const order: Coding[] = ['br', 'gzip', 'identity']; // browsers name gzip first, br is smaller

/** Clients of one kind send the same text, so each is parsed once. */
const parsed = new LRUCache<string, readonly Coding[]>({ max: 500 });

/**
 * The content codings of ours that a request accepts, the preferred one first: by whole names and weights, `br` before
 * `gzip` when the client weighs them alike. `identity` alone when nothing is said. Source: RFC 9110 §12.5.3.
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
