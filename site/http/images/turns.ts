/** Nobody came to an end in time: told as 503, and not held against the picture. */
export class NoTurn extends Error {}

/**
 * At most `at_once` works run together, `waiting_at_most` wait their turn in order, none longer than `longest_ms`.
 * Throws `NoTurn` instead of waiting longer or in a longer queue.
 */
export function turns(at_once: number, waiting_at_most: number, longest_ms: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = (): Promise<void> =>
    new Promise((go, fail) => {
      const clock = setTimeout(() => {
        waiting.delete(called);
        fail(new NoTurn());
      }, longest_ms);
      const called = () => {
        clearTimeout(clock);
        waiting.delete(called);
        go();
      };
      waiting.add(called);
    });

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < at_once) running += 1;
    else if (waiting.size >= waiting_at_most) throw new NoTurn();
    else await turn(); // whoever ends hands the place on, the number of running works stays
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}
