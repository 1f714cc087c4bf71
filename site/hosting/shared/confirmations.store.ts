import { atom } from 'nanostores';

/** Confirmations that the user suppressed in this browser: `stop`, `restart`, `kill`. */
export const $suppressed = atom<readonly string[]>([]);

const storage_key = 'servers.unasked';

/** Loads the stored value; an unreadable one counts as none. */
export function loadSuppressed(): void {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storage_key) ?? '[]');
    if (Array.isArray(known)) $suppressed.set(known.filter((one) => typeof one === 'string'));
  } catch {} // without storage the dialog opens
}

export const suppress = (what: string): void => save([...new Set([...$suppressed.get(), what])]);
export const unsuppress = (): void => save([]);
/** Asks again about one of them. */
export const unsuppressOne = (what: string): void => save($suppressed.get().filter((one) => one !== what));

function save(what: readonly string[]): void {
  $suppressed.set(what);
  try {
    localStorage.setItem(storage_key, JSON.stringify(what));
  } catch {} // without storage it is valid for this page
}
