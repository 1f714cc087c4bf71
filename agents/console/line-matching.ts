/** Functions that get each line of a process. */
export type Hearers = Set<(text: string) => void>;

/** Whether the process prints a line that matches within `timeout_ms`, and before `signal` ends the wait. */
export async function lineMatching(
  hearers: Hearers,
  { pattern, timeout_ms, signal }: { pattern: RegExp; timeout_ms: number; signal: AbortSignal },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const hear = (text: string) => pattern.test(text) && resolve(true);
  const give_up = () => resolve(false);
  const timer = setTimeout(give_up, timeout_ms);
  hearers.add(hear);
  signal.addEventListener('abort', give_up);
  if (signal.aborted) give_up();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    hearers.delete(hear);
    signal.removeEventListener('abort', give_up);
  }
}
