import { atom } from 'nanostores';

/** What one does not want to be asked before, in this browser: `stop`, `restart`, `kill`. */
export const $suppressed = atom<readonly string[]>([]);

const storage_key = 'servers.unasked';

/** Learns what was kept; an unreadable memory is none. */
export function loadSuppressed(): void {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storage_key) ?? '[]');
    if (Array.isArray(known)) $suppressed.set(known.filter((one) => typeof one === 'string'));
  } catch {} // then one is asked
}

export const suppress = (what: string): void => save([...$suppressed.get(), what]);
export const unsuppress = (): void => save([]);

function save(what: readonly string[]): void {
  $suppressed.set(what);
  try {
    localStorage.setItem(storage_key, JSON.stringify(what));
  } catch {} // it holds for this page
}
