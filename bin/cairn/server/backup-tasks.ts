import { isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { UserError } from '../../user-error.ts';
import { show } from '../print.ts';
import { type Following, failingAs, type TaskKind, type Waiting, waitForTask } from './tasks.ts';

/** What is said when something fails, before the reason. Source: specification §8. */
export const failures = {
  create: 'Failed to create backup',
  download: 'Failed to prepare download',
  restore: 'Failed to restore from backup',
  verify: 'Failed to verify backup',
} as const;

/** Why something ended that did not fail. */
const canceled = new Refused('backup_canceled').message;
/** Exit code of a command that found a damaged backup. */
const damaged_exit_code = 2;

/** What goes on on a backup. */
export const backupTask: TaskKind<BackupView> = {
  onChange: (socket, told) => {
    socket.on('backups', ({ server_id, backups }) => told(server_id, backups));
  },
  read: async (request, server_id) => (await request('backups.list', { server_id })).backups,
  stepOf: ({ state }) => state,
  isOpen: ({ state }) => isInProgress(state),
  gone: new Refused('backup_not_found').message,
};

interface Begun {
  backup: BackupView;
}

/** Prints a backup on which something began, with `wait` when that has ended. */
export async function followBackup(
  { backup }: Begun,
  { server_id, wait, json }: Waiting,
  { plane, failure }: Following,
  /** Throws when nothing failed and it was not done either. */
  outcome?: (ended: BackupView) => Promise<unknown>,
): Promise<void> {
  const ended = wait
    ? await failingAs(failure, () => waitForTask(plane, backupTask, { server_id, id: backup.id }))
    : backup;
  if (wait) assertNoError(ended, failure);
  if (wait && outcome) await failingAs(failure, () => outcome(ended));
  await show(ended, json, (one) => [backupLine(one)]);
}

/** The same for a restore: the same request again says how it ended. */
export const followRestore = (begun: Begun, values: Waiting, how: Following): Promise<void> =>
  followBackup(begun, values, how, how.again);

/** The same for a verification. */
export const followVerification = (begun: Begun, values: Waiting, how: Following): Promise<void> =>
  followBackup(begun, values, how, async (ended) => {
    if (ended.verified === begun.backup.verified) throw new UserError(canceled);
  });

/** Throws why the last action on a backup failed, if it did: exit code 2 when it is damaged, else 1. */
export function assertNoError({ state, error }: BackupView, failure: string): void {
  if (state === 'cancelled') throw new UserError(`${failure}: ${canceled}`);
  if (!error) return;
  const why = new Refused(error.code as RefusalCode, error.data).message;
  throw new UserError(`${failure}: ${why}`, error.code === 'backup_damaged' ? damaged_exit_code : 1);
}

/** A backup as one line of a table. */
export const backupLine = ({ id, name, state, locked, reason, created, bytes, error }: BackupView) => ({
  ...{ id, name, state, locked: locked ? 'yes' : '', reason, created },
  bytes: bytes ?? '',
  error: error?.code ?? '',
});
