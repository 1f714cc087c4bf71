import { atom } from 'nanostores';
import type { ServerWarning } from '#db/hosting/servers/view.ts';

/** Warnings that were dismissed in this browser: when the newest dismissed one was, by server and code. */
type Dismissed = Readonly<Record<string, string>>;

/** Null until it was read. */
export const $dismissed = atom<Dismissed | null>(null);

const storage_key = 'servers.dismissed';
/** The oldest ones are forgotten: they are hardly shown any more. */
const max_kept = 100;
const keyOf = (server_id: string, { code }: ServerWarning) => `${server_id} ${code}`;

/** Loads the stored value; an unreadable one counts as none. */
export function loadDismissed(): void {
  let known: Dismissed = {};
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storage_key) ?? '{}');
    if (stored && typeof stored === 'object')
      known = Object.fromEntries(Object.entries(stored).filter(([, at]) => typeof at === 'string'));
  } catch {} // without storage all are shown
  $dismissed.set(known);
}

/** Whether this warning, or a newer one of its code, was dismissed. */
export function isDismissed(known: Dismissed, server_id: string, warning: ServerWarning): boolean {
  const at = known[keyOf(server_id, warning)];
  return at !== undefined && Date.parse(at) >= Date.parse(warning.at);
}

export function dismissWarning(server_id: string, warning: ServerWarning): void {
  const { [keyOf(server_id, warning)]: _, ...others } = $dismissed.get() ?? {};
  const entries = [...Object.entries(others), [keyOf(server_id, warning), warning.at] as const];
  const next = Object.fromEntries(entries.slice(-max_kept));
  $dismissed.set(next);
  try {
    localStorage.setItem(storage_key, JSON.stringify(next));
  } catch {} // without storage it is valid for this page
}
