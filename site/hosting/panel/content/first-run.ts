import type { ServerView } from '#db/hosting/servers/view.ts';

/** Whether a server is new enough to ask what it is for. */

const new_ms = 7 * 24 * 3_600_000;
const storage_key = 'servers.begun';
/** The oldest ones are forgotten: they are not new any more. */
const max_kept = 50;

export const isNewServer = ({ created, lifecycle }: ServerView, now: Date): boolean =>
  lifecycle === 'ready' && now.getTime() - Date.parse(created) < new_ms;

function read(): string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(storage_key) ?? '[]');
    return Array.isArray(known) ? known.filter((one) => typeof one === 'string') : [];
  } catch {
    return []; // without storage it is asked again
  }
}

/** Whether the user said in this browser that the server needs nothing. */
export const isFirstRunDismissed = (id: string): boolean => read().includes(id);

export function dismissFirstRun(id: string): void {
  try {
    localStorage.setItem(storage_key, JSON.stringify([...read(), id].slice(-max_kept)));
  } catch {} // without storage it is valid for this page
}
