import { LRUCache } from 'lru-cache';

interface Options<Source, Answer> {
  /** Cache key; the source itself by default. */
  keyOf?(source: Source): object | string;
  /** Whether a result must not be cached, for example because the database may still be loading. Default: never. */
  isEmpty?(answer: Answer): boolean;
  /** How long failures are cached, so that many callers do not repeat what just failed. Default: not at all. */
  failed_ms?: number;
}

const max_keys = 100;
/** One for each function that was made, of which a process makes a few when it starts. */
const caches: Array<{ clear(): void }> = [];

/** Forgets all results in this process, for tests that share it. */
export function forgetMemoized(): void {
  for (const cache of caches) cache.clear();
}

/**
 * Caches results of `load` for `ttl_ms`, for the 100 most recently used keys. Concurrent calls share one load.
 * Empty results are not cached, nor are failures beyond `failed_ms`.
 */
export function memoizeFor<Source extends object, Answer>(
  ttl_ms: number,
  load: (source: Source) => Promise<Answer>,
  { keyOf = (source) => source, isEmpty = () => false, failed_ms = 0 }: Options<Source, Answer> = {},
): (source: Source) => Promise<Answer> {
  const cache = new LRUCache<object | string, Promise<Answer>>({
    max: max_keys,
    perf: { now: () => performance.now() }, // the library keeps the clock that it finds when it is loaded
  });
  caches.push(cache);
  return (source) => {
    const key = keyOf(source);
    const known = cache.get(key);
    if (known) return known;
    const answer = load(source);
    cache.set(key, answer); // a pending load does not age
    const settle = (ttl: number) => {
      if (cache.peek(key) !== answer) return;
      if (ttl > 0) cache.set(key, answer, { ttl });
      else cache.delete(key);
    };
    answer.then(
      (value) => settle(isEmpty(value) ? 0 : ttl_ms),
      () => settle(failed_ms),
    );
    return answer;
  };
}
