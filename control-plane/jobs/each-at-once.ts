/** How a list is worked through: some at a time, until time runs out or what it needs gives no answer. */
export interface EachOptions<T> {
  /** So many run at once: one that hangs does not hold up the others. */
  at_once: number;
  /** After so many without an answer, one after the other, the rest is left for a later run. */
  unanswered_limit: number;
  /** Whether there is still time to begin another one. */
  has_time(): boolean;
  onError(error: unknown, item: T): void;
}

/**
 * Works through a list. `work` gives whether it got an answer; an error counts as none. Gives how many were begun. Unlike what
 * waits in a `ConcurrencyLimiter`, the rest of the list may stay undone.
 */
export async function eachAtOnce<T>(
  items: readonly T[],
  work: (item: T) => Promise<boolean>,
  { at_once, unanswered_limit, has_time, onError }: EachOptions<T>,
): Promise<number> {
  let next = 0;
  let unanswered = 0;
  const one = async () => {
    while (next < items.length && unanswered < unanswered_limit && has_time()) {
      const item = items[next++]!;
      const answered = await work(item).catch((error: unknown) => {
        onError(error, item);
        return false;
      });
      unanswered = answered ? 0 : unanswered + 1;
    }
  };
  await Promise.all(Array.from({ length: at_once }, one));
  return next;
}
