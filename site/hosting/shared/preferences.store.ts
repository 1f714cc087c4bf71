import { atom } from 'nanostores';

/** What the user prefers on the pages of servers, in this browser. */
export interface Preferences {
  /** Memory on the overview as an amount; else as a share of its limit. */
  memory_bytes: boolean;
  /** Addresses are covered, for people who show their screen. */
  hide_address: boolean;
  /** A backup of a running server begins without a question. */
  backup_running: boolean;
}
export const defaults: Preferences = { memory_bytes: true, hide_address: false, backup_running: true };

/** Null before they are loaded. */
export const $preferences = atom<Preferences | null>(null);

const storage_key = 'servers.preferences';
/** The server reads it, so that no address appears for a moment before scripts run. */
export const hide_cookie = 'hide_address';

/** Loads the stored values; unreadable ones count as defaults. */
export function loadPreferences(): void {
  if ($preferences.get()) return;
  $preferences.set({ ...defaults, ...stored() });
}

function stored(): Partial<Preferences> {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storage_key) ?? '{}');
    const entries = Object.entries(known ?? {});
    return Object.fromEntries(
      entries.filter(([key, value]) => key in defaults && typeof value === 'boolean'),
    );
  } catch {
    return {}; // without storage the defaults apply
  }
}

/** Changes some of them, from now on and on every page of this browser. */
export function prefer(some: Partial<Preferences>): void {
  const all = { ...($preferences.get() ?? defaults), ...some };
  $preferences.set(all);
  try {
    localStorage.setItem(storage_key, JSON.stringify(all));
    const age = all.hide_address ? 31_536_000 : 0;
    // biome-ignore lint/suspicious/noDocumentCookie: not every browser that this site supports has the other API
    document.cookie = `${hide_cookie}=1; path=/servers; max-age=${age}; samesite=lax`;
  } catch {} // without storage it is valid for this page
}
