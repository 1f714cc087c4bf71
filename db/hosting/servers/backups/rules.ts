import type { RefusalCode } from '../../../platform/errors.ts';
import { hasDirectionMarks, hasOddCharacters, oneLine } from '../../../platform/plain-text/rules.ts';

/** Rules for backups of servers: the same for buttons, sockets and commands. Source: hosting §5.6; specification §4. */

/** Most backups of a server, automatic ones included. Source: specification §4. */
export const max_backups = 15;
const name_length = 48;

/** States of a backup. Source: specification §4; hosting §5.6. */
export const backupStates = [
  'queued',
  'creating',
  'done',
  'unchanged',
  'failed',
  'cancelled',
  'restoring',
  'preparing',
  'verifying',
  'deleting',
  'damaged',
] as const;
export type BackupState = (typeof backupStates)[number];
/** States of a backup that exists and is not in use. */
export type RestingState = Extract<BackupState, 'done' | 'unchanged' | 'damaged'>;

/** What may follow a state. A move that is not listed does not happen. */
const moves: Record<BackupState, readonly BackupState[]> = {
  queued: ['creating', 'done', 'unchanged', 'failed', 'cancelled'],
  creating: ['done', 'unchanged', 'failed', 'cancelled'],
  done: ['restoring', 'preparing', 'verifying', 'deleting'],
  unchanged: ['restoring', 'preparing', 'verifying', 'deleting'],
  damaged: ['verifying', 'deleting'],
  // a result may come after it was given up
  failed: ['queued', 'done', 'unchanged'],
  cancelled: ['queued'],
  restoring: ['done', 'unchanged', 'damaged'],
  preparing: ['done', 'unchanged', 'damaged'],
  verifying: ['done', 'unchanged', 'damaged'],
  deleting: ['done', 'unchanged', 'damaged'],
};
/** Whether a backup may go from one state to another. */
export const canBackupMove = (from: BackupState, to: BackupState): boolean => moves[from].includes(to);

/** States in which a backup keeps its server from another one: one at a time. A download does not. */
export const exclusiveStates = ['queued', 'creating', 'restoring', 'verifying'] as const;
/** States that count against `max_backups`. */
export const countedStates = [...exclusiveStates, 'done', 'unchanged', 'damaged', 'preparing'] as const;

/** The fields of a backup that rules use. */
export interface BackupStanding {
  state: BackupState;
  locked: boolean;
}

/** The name to store: one line in NFC. */
export const normalizedBackupName = (text: string): string => oneLine(text).normalize();

/** Why a backup cannot have this name, or null; control characters and marks of direction are refused too. */
export function whyNotBackupName(text: string): RefusalCode | null {
  const name = normalizedBackupName(text);
  const length = [...name].length;
  const odd = hasOddCharacters(text) || hasDirectionMarks(text);
  return odd || length < 1 || length > name_length ? 'backup_name_length' : null;
}

/** The name of a backup without one: "Backup #n" or "Export #n", the number after the highest one in use. */
export function defaultBackupName(names: readonly string[], kind: 'Backup' | 'Export' = 'Backup'): string {
  const numbers = names.map((name) => {
    const [, of, number] = /^(Backup|Export) #(\d{1,9})$/i.exec(name) ?? [];
    return of?.toLowerCase() === kind.toLowerCase() ? Number(number) : 0;
  });
  return `${kind} #${Math.max(0, ...numbers) + 1}`;
}

/** Why no backup can be begun now, or null. `count`: those that count against the limit. */
export function whyNotBeginBackup(server: { in_progress: boolean; count: number }): RefusalCode | null {
  if (server.in_progress) return 'backup_in_progress';
  return server.count >= max_backups ? 'backups_too_many' : null;
}

/** Why a backup cannot be restored or downloaded now, or null. */
export function whyNotUseBackup({ state }: BackupStanding): RefusalCode | null {
  if (state === 'damaged') return 'backup_damaged';
  if (state === 'failed' || state === 'cancelled' || state === 'deleting') return 'backup_not_ready';
  return state === 'done' || state === 'unchanged' ? null : 'backup_in_progress';
}

/** Why it cannot be verified now, or null; a damaged one can be, because its target may work again. */
export const whyNotVerifyBackup = (backup: BackupStanding): RefusalCode | null =>
  backup.state === 'damaged' ? null : whyNotUseBackup(backup);

/** Why it cannot be deleted now, or null. */
export function whyNotDeleteBackup({ state, locked }: BackupStanding): RefusalCode | null {
  if (locked) return 'backup_locked';
  return isInProgress(state) && state !== 'deleting' ? 'backup_in_progress' : null;
}

/** Why it cannot be made again, or null. */
export function whyNotRetryBackup({ state }: BackupStanding): RefusalCode | null {
  if (canBackupMove(state, 'queued')) return null;
  return isInProgress(state) ? 'backup_in_progress' : 'backup_exists';
}

/** Why what is in progress on it cannot be cancelled, or null; cancelling what is over changes nothing. */
export const whyNotCancelBackup = ({ state }: BackupStanding): RefusalCode | null =>
  state === 'deleting' ? 'backup_not_cancellable' : null;

/** Whether something is in progress on it. */
export const isInProgress = (state: BackupState): boolean =>
  [...exclusiveStates, 'preparing', 'deleting'].includes(state);

/** Why a backup was made: by hand, by a schedule, before a risky change, or to be taken away. */
export const backupReasons = ['user', 'schedule', 'safety', 'export'] as const;
export type BackupReason = (typeof backupReasons)[number];
/** Whether rules decide how long it stays. */
export const isAutomated = (reason: BackupReason): boolean => reason === 'schedule' || reason === 'safety';

/** How long an export is kept, and its download can go on. */
const export_kept_ms = 72 * 3_600_000;
/** When an export that was begun at `created` is deleted, unless it is locked. */
export const exportEnds = (created: string): Date => new Date(Date.parse(created) + export_kept_ms);

/** Where backups are kept. */
export const backupTargets = ['node', 'platform', 's3'] as const;
export type BackupTarget = (typeof backupTargets)[number];

/** What rules know of the servers of a restore. */
interface RestoreServer {
  owner_id: string;
  node_id: string | null;
  kind: string;
  disk_mb: number;
}

/**
 * Why a backup of `source` cannot be restored to `target`, or null. Every node reads what is at the platform; what is on the
 * disk of a node only that one. `same_store`: the node of `target` is known to have the store that the backup is in.
 */
export function whyNotRestoreTo(
  source: RestoreServer,
  target: RestoreServer,
  backup: { target: BackupTarget; same_store?: boolean },
): RefusalCode | null {
  if (source.owner_id !== target.owner_id) return 'backup_other_owner';
  if (source.kind !== target.kind) return 'backup_other_kind';
  const shared = backup.target === 'platform' || (backup.target === 's3' && backup.same_store === true);
  if (!shared && source.node_id !== target.node_id) return 'backup_other_node';
  return target.disk_mb < source.disk_mb ? 'backup_disk_smaller' : null;
}

/**
 * Where a new backup is kept when the operator has not chosen: with several nodes at the platform, so that it outlives its node.
 * Only archives can be there, and only of agents that know how.
 */
export const defaultBackupTarget = (installation: {
  nodes: number;
  engine: 'archive' | 'restic';
  agent_targets: readonly string[];
}): BackupTarget =>
  installation.nodes > 1 &&
  installation.engine === 'archive' &&
  installation.agent_targets.includes('platform')
    ? 'platform'
    : 'node';
