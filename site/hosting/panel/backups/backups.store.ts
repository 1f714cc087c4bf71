import { atom } from 'nanostores';
import type { BackupState, BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { followPanel, panelResource } from '../core/resource.ts';
import { panelActions } from '../core/waiting.ts';
import { changedStates, lastWorkOf } from './state.ts';

/** The backups of the open panel: all of them after each connection, then every change by event. */

/** How many there may be, and which automated ones stay. */
export const $limits = atom<{ most: number; retention: RetentionRules } | null>(null);
/** What was last in progress on each backup, by ID: what failed when one has an error now. */
export const $lastWork = atom<Readonly<Record<string, BackupState>>>({});
/** Backups whose state changed with the latest news. */
export const $changed = atom<readonly BackupView[]>([]);
/** Requests under way: an action and the backup. */
export const { $waiting, act } = panelActions();

/** Newest first. */
export const {
  $data: $backups,
  $problem,
  load: loadBackups,
} = panelResource({
  event: 'backups.list',
  read({ backups, most, retention }): readonly BackupView[] {
    $limits.set({ most, retention });
    compare(backups);
    return backups;
  },
});

/** Notes what differs from what is shown. */
function compare(backups: readonly BackupView[]): void {
  $changed.set(changedStates(backups, $backups.get()));
  $lastWork.set(lastWorkOf(backups, $lastWork.get()));
}

function show(backups: readonly BackupView[]): void {
  compare(backups);
  $backups.set(backups);
}

/** Shows one backup as a request answered it, before the event comes. */
export function showBackup(backup: BackupView): void {
  const all = $backups.get() ?? [];
  const isKnown = all.some(({ id }) => id === backup.id);
  show(isKnown ? all.map((one) => (one.id === backup.id ? backup : one)) : [backup, ...all]);
}

export const followBackups = (): (() => void) =>
  followPanel('backups', ({ backups }) => show(backups), loadBackups);
