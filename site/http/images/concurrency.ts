/** The queue is full or the wait too long: answered as 503, and not remembered as a failure of the image. */
export class QueueFull extends Error {}

/**
 * Runs at most `at_once` tasks together; up to `max_waiting` wait in order, each for at most `timeout_ms`. Throws
 * `QueueFull` when the queue or the wait is longer.
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
    else await turn(); // a finished task hands its slot to the next one, so the number of running tasks stays the same
    try {
      return await work();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}
