/** Number of clicks on the logo that toggle developer mode. Source: specification §4, §9. */
const needed = 5;
/** Clicks further apart than this are ordinary visits to the home page. */
const apart_ms = 5_000;

/**
 * Counts a click at `now` (milliseconds since 1970) after those in `text`, the `clicks` of the previous call, also
 * across pages. `done` on the fifth.
 */
export function registerClick(text: string | null, now: number): { clicks: string; done: boolean } {
  const [count = 0, at = 0] = (text ?? '').split(' ').map(Number);
  const known = Number.isInteger(count) && now - at < apart_ms ? count : 0;
  const done = known + 1 >= needed;
  return { clicks: done ? '' : `${known + 1} ${now}`, done };
}
