/** Ids of one request that count as one request. */
const ids_each = 100;
/** Skipped search results that count as one request. */
const skipped_each = 10_000;
/** Bytes of a JSON body that count as one request: about a hundred hashes. */
const body_each = 16 * 1024;
/** No request counts more than this, so that each is possible with the default limit. */
const max_cost = 60;

/** Routes whose answer takes many reads, whatever is asked. */
const fixed: ReadonlyArray<[pattern: RegExp, cost: number]> = [
  [/\/content\/resolve$/, 5],
  [/\/project\/[^/]+\/dependencies$/, 2],
  [/\/v3\/analytics(\/|$)/, 3],
];

/**
 * How many requests a request counts for the rate limit, by the work that it asks for: long lists of ids or hashes, deep
 * offsets and the expansion of dependencies count more than one. Uploads count one; their bytes have quotas. Source:
 * api-v2 §1.4.
 */
export function requestCost(target: string, body: { type: string; bytes: number } | null = null): number {
  const [path = '', query = ''] = target.split('?', 2);
  const of = fixed.find(([pattern]) => pattern.test(path))?.[1] ?? 1;
  return Math.min(
    max_cost,
    of + listCost(query) + (body?.type.startsWith('application/json') ? floor(body.bytes, body_each) : 0),
  );
}

const floor = (value: number, each: number): number => Math.max(0, Math.floor(value / each)) || 0;

/** For a list in `ids`, and for `offset`. */
function listCost(query: string): number {
  if (query === '') return 0;
  const commas = query.includes('ids=') ? query.split(/,|%2[cC]/).length - 1 : 0;
  const offset = /(?:^|&)offset=(\d+)/.exec(query)?.[1] ?? 0;
  return floor(commas, ids_each) + floor(Number(offset), skipped_each);
}
