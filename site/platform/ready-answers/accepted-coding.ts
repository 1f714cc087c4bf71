import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';

/** `other`: the API itself decides what it sends. */
export type AcceptedCoding = 'gzip' | 'identity' | 'other';

const parsed = new LRUCache<string, AcceptedCoding>({ max: 500 });

/** The content coding in which a client gets ready answers: gzip where it names it, none without the header. */
export function acceptedCoding({ headers }: IncomingMessage): AcceptedCoding {
  const text = headers['accept-encoding'];
  if (text === undefined) return 'identity';
  let coding = parsed.get(text);
  if (!coding) {
    const names = text
      .toLowerCase()
      .split(',')
      .map((name) => name.trim());
    coding = names.includes('gzip') && !text.includes('q=') ? 'gzip' : 'other';
    parsed.set(text, coding);
  }
  return coding;
}
