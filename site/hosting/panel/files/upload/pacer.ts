/**
 * Lets at most `per_second` through each second, in their order, a few at once: a control plane refuses more, and what the
 * user does must not wait behind uploads.
 */
export function pacer(per_second: number, now: () => number, sleep: (ms: number) => Promise<void>) {
  const gap_ms = 1000 / per_second;
  /** When the next one may go. */
  let next = 0;
  return async function turn(): Promise<void> {
    const at = Math.max(next, now());
    next = at + gap_ms;
    if (at > now()) await sleep(at - now());
  };
}
