import { LRUCache } from 'lru-cache';

interface Options<Source, Answer> {
  /** What an answer belongs to; the source itself unless given. */
  keyOf?(source: Source): object | string;
  /** Whether an answer is not worth keeping: the database may just be loading. Never unless given. */
  isEmpty?(answer: Answer): boolean;
}

const max_keys = 100;

/**
 * `load` with its answers cached for `ttl_ms`, for the 100 keys used last. Callers who ask while an answer is on its way
 * share it. Failures and empty answers are not cached.
 */
export function memoizeFor<Source extends object, Answer>(
  ttl_ms: number,
  load: (source: Source) => Promise<Answer>,
  { keyOf = (source) => source, isEmpty = () => false }: Options<Source, Answer> = {},
): (source: Source) => Promise<Answer> {
  const cache = new LRUCache<object | string, Promise<Answer>>({
    max: max_keys,
    perf: { now: () => performance.now() }, // the library keeps the clock it found when it was loaded
  });
  return (source) => {
    const key = keyOf(source);
    const known = cache.get(key);
    if (known) return known;
    const answer = load(source);
    cache.set(key, answer); // while it is on its way it does not age
    const settle = (keep: boolean) => {
      if (cache.peek(key) !== answer) return;
      if (keep) cache.set(key, answer, { ttl: ttl_ms });
      else cache.delete(key);
    };
    answer.then(
      (value) => settle(!isEmpty(value)),
      () => settle(false),
    );
    return answer;
  };
}
