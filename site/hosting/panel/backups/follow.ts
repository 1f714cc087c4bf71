import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { openedPanel, requestFromPanel } from '../core/open-panel.ts';
import { $connection } from '../core/panel.store.ts';
import { $backups, $changed, $lastWork, $limits, $problem } from './backups.store.ts';
import { changedStates, lastWorkOf } from './state.ts';

/** Keeps the backups of the panel up to date: all of them after each connection, then every change by event. */

/** Loads all backups; a refusal is in `$problem`. */
export async function loadBackups(): Promise<void> {
  const result = await requestFromPanel('backups.list', {});
  if (!result.ok) {
    // the panel says that the connection is lost, and they are loaded again with the next one
    $problem.set(result.error.status === 0 ? null : result.error);
    return;
  }
  const { backups, most, retention } = result.data;
  $problem.set(null);
  $limits.set({ most, retention });
  show(backups);
}

function show(backups: readonly BackupView[]): void {
  $changed.set(changedStates(backups, $backups.get()));
  $lastWork.set(lastWorkOf(backups, $lastWork.get()));
  $backups.set(backups);
}

/** Shows one backup as a request answered it, before the event comes. */
export function showBackup(backup: BackupView): void {
  const all = $backups.get() ?? [];
  const isKnown = all.some(({ id }) => id === backup.id);
  show(isKnown ? all.map((one) => (one.id === backup.id ? backup : one)) : [backup, ...all]);
}

/** Follows the backups of the open panel; gives a function that ends it. */
export function followBackups(): () => void {
  let end = () => {};
  const ended = $connection.subscribe((state) => {
    end();
    end = () => {};
    const panel = openedPanel();
    if (state !== 'open' || !panel) return;
    end = panel.on('backups', ({ server_id, backups }) => server_id === panel.id && show(backups));
    void loadBackups();
  });
  return () => {
    end();
    ended();
  };
}
