/** `load`, memoized for `ms` per key: concurrent and later calls share one promise. A failure is not cached. */
export function memoizeFor<Key extends object, Answer>(
  ms: number,
  load: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const cached = new WeakMap<Key, { until: number; answer: Promise<Answer> }>();
  return (key) => {
    const known = cached.get(key);
    if (known && Date.now() < known.until) return known.answer;
    const answer = load(key);
    cached.set(key, { until: Date.now() + ms, answer });
    answer.catch(() => cached.delete(key));
    return answer;
  };
}
