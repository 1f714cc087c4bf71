/** Within this time a page is not loaded anew a second time. Source: specification §9 (reload guard 10 s). */
const guard_ms = 10_000;

/**
 * Whether `path` may be loaded anew because a part of it did not come, remembered in `storage` so that a part which
 * never comes does not turn into a page that never rests. `now` in milliseconds. Source: specification §4 (Navigation).
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, path: string, now: number): boolean {
  const name = `reloaded:${path}`;
  const last = Number(storage.getItem(name) ?? Number.NEGATIVE_INFINITY);
  if (now - last < guard_ms) return false;
  storage.setItem(name, String(now));
  return true;
}

/** Whether an error says that a script of the page could not be fetched, in the words of the three browser engines. */
export const isMissingScript = (error: unknown): boolean =>
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(
    error instanceof Error ? error.message : '',
  );
