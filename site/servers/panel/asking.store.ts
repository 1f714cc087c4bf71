import { atom } from 'nanostores';

/** What one does not want to be asked before, in this browser: `stop`, `restart`, `kill`. */
export const $unasked = atom<readonly string[]>([]);

const kept = 'servers.unasked';

/** Learns what was kept; an unreadable memory is none. */
export function recallAsking(): void {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(kept) ?? '[]');
    if (Array.isArray(known)) $unasked.set(known.filter((one) => typeof one === 'string'));
  } catch {} // then one is asked
}

export const stopAsking = (what: string): void => keep([...$unasked.get(), what]);
export const askAgain = (): void => keep([]);

function keep(what: readonly string[]): void {
  $unasked.set(what);
  try {
    localStorage.setItem(kept, JSON.stringify(what));
  } catch {} // it holds for this page
}
