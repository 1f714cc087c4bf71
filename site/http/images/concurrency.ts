/** Nobody came to an end in time: told as 503, and not held against the picture. */
export class QueueFull extends Error {}

/**
 * At most `at_once` works run together, `waiting_at_most` wait their turn in order, none longer than `longest_ms`.
 * Throws `QueueFull` instead of waiting longer or in a longer queue.
 */
export function concurrencyLimit(at_once: number, max_waiting: number, timeout_ms: number) {
  const waiting = new Set<() => void>();
  let running = 0;

  const turn = (): Promise<void> =>
    new Promise((go, fail) => {
      const clock = setTimeout(() => {
        waiting.delete(called);
        fail(new QueueFull());
      }, timeout_ms);
      const called = () => {
        clearTimeout(clock);
        waiting.delete(called);
        go();
      };
      waiting.add(called);
    });

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < at_once) running += 1;
    else if (waiting.size >= max_waiting) throw new QueueFull();
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
