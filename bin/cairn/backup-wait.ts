import { isInProgress } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView } from '#db/hosting/servers/backups/view.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { UserError } from '../user-error.ts';
import type { ControlClient } from './control-client.ts';

/** What is said when something fails, before the reason. Source: specification §8. */
export const failures = {
  create: 'Failed to create backup',
  download: 'Failed to prepare download',
  restore: 'Failed to restore from backup',
  verify: 'Failed to verify backup',
} as const;

/** Why something ended that did not fail. */
export const canceled = new Refused('backup_canceled').message;

/** Exit code of a command that found a damaged backup. */
const damaged_exit_code = 2;

/** Runs `work`; its refusal ends the command with `failure` in front. */
export async function failingAs<T>(failure: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(`${failure}: ${error.message}`, error.exit_code);
  }
}

/** Throws why the last action on a backup failed, if it did: exit code 2 when it is damaged, else 1. */
export function assertNoError({ state, error }: BackupView, failure: string): void {
  if (state === 'cancelled') throw new UserError(`${failure}: ${canceled}`);
  if (!error) return;
  const why = new Refused(error.code as RefusalCode, error.data).message;
  throw new UserError(`${failure}: ${why}`, error.code === 'backup_damaged' ? damaged_exit_code : 1);
}

/**
 * Waits until nothing is in progress on a backup and gives it; `note` is told how far it is. After a lost connection it
 * goes on waiting. Ends the command when the backup or the access to it is gone.
 */
export async function waitForBackup(
  { request, socket }: Pick<ControlClient, 'request' | 'socket'>,
  { server_id, backup_id }: { server_id: string; backup_id: string },
  note: (text: string) => void,
): Promise<BackupView> {
  let said = '';
  return await new Promise<BackupView>((done, fail) => {
    const look = (backups: readonly BackupView[]) => {
      const backup = backups.find(({ id }) => id === backup_id);
      if (!backup) return fail(new UserError(new Refused('backup_not_found').message));
      if (!isInProgress(backup.state)) return done(backup);
      const text = progressText(backup);
      if (text !== said) note(text);
      said = text;
    };
    socket.on('backups', (message) => {
      if (message.server_id === server_id) look(message.backups);
    });
    socket.on('access.revoked', ({ server_id: id, description }) => {
      if (id === server_id) fail(new UserError(description));
    });
    const join = async () => {
      await request('server.join', { server_id, rooms: ['tasks'] });
      look((await request('backups.list', { server_id })).backups);
    };
    const joinAgain = () => void join().catch(fail);
    socket.on('connect', joinAgain);
    joinAgain();
  });
}

/** What is in progress, and how far: "creating 40 %". */
function progressText({ state, progress }: Pick<BackupView, 'state' | 'progress'>): string {
  if (!progress?.total) return state;
  // in steps, so that a log stays short
  return `${state} ${Math.min(100, Math.floor((progress.done / progress.total) * 10) * 10)} %`;
}
