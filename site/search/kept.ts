/**
 * `ask`, but asked at most once in `ms` for each thing: who asks again meanwhile gets the same answer, also while it is
 * still on its way. A failure is not kept.
 */
export function keptFor<Key extends object, Answer>(
  ms: number,
  ask: (key: Key) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  const kept = new WeakMap<Key, { until: number; answer: Promise<Answer> }>();
  return (key) => {
    const known = kept.get(key);
    if (known && Date.now() < known.until) return known.answer;
    const answer = ask(key);
    kept.set(key, { until: Date.now() + ms, answer });
    answer.catch(() => kept.delete(key));
    return answer;
  };
}
