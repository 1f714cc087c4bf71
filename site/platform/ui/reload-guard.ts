/** A page is not reloaded twice within this time. Source: specification §9 (reload guard 10 s). */
const guard_ms = 10_000;

/**
 * Whether `path` may be reloaded because a script of it failed to load, remembered in `storage` to prevent a reload
 * loop. `now` in milliseconds. Source: specification §4 (Navigation).
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, path: string, now: number): boolean {
  const name = `reloaded:${path}`;
  const last = Number(storage.getItem(name) ?? Number.NEGATIVE_INFINITY);
  if (now - last < guard_ms) return false;
  storage.setItem(name, String(now));
  return true;
}

/** Whether an error says that a script could not be fetched, in the messages of the three browser engines. */
export const isMissingScript = (error: unknown): boolean =>
  /dynamically imported module|importing a module script failed|unable to preload css/i.test(
    error instanceof Error ? error.message : '',
  );
