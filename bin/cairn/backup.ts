import { randomUUID } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { max_backups } from '#db/hosting/servers/backups/rules.ts';
import type { BackupView, RetentionRules } from '#db/hosting/servers/backups/view.ts';
import { UserError } from '../user-error.ts';
import type { Asking } from './asking.ts';
import { downloadFile } from './backup-download.ts';
import { assertNoError, canceled, failingAs, failures, waitForBackup } from './backup-wait.ts';
import type { ControlClient } from './control-client.ts';
import { print } from './print.ts';
import { wayOf } from './transfer-way.ts';

interface Shown {
  json?: boolean;
}
interface Waiting extends Shown {
  wait?: boolean;
}

/** `server backup`: backups of game servers, by the same rules as their panel. `url` is the address of Cairn. */
export function backupCommands(server: Command, asking: Asking, url: () => string): void {
  const backup = server.command('backup').description('Manages the backups of a game server.');
  const verb = (name: string, description: string, parent = backup) =>
    parent.command(name).description(description).argument('<server>', 'ID of the server');
  const onBackup = (name: string, description: string, parent = backup) =>
    verb(name, description, parent).argument('<backup>', 'ID of the backup');

  verb('list', 'Lists the backups of a server, newest first.')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { json }: Shown) => {
        const { backups } = await plane.request('backups.list', { server_id });
        print(json ? backups : backups.map(backupLine), json);
      }),
    );
  verb('create', 'Begins a backup and prints it, also while the server runs.')
    .option('--name <name>', '1 to 48 characters (default: "Backup #n")')
    .option('--wait', 'wait until it is done')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, { name, ...how }: Waiting & { name?: string }) => {
        const message = { server_id, op_id: randomUUID(), ...(name === undefined ? {} : { name }) };
        const begin = () => plane.request('backups.create', message);
        await follow(plane, server_id, failures.create, begin, how);
      }),
    );
  onBackup('retry', 'Makes a failed backup again, under the same name.')
    .option('--wait', 'wait until it is done')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, backup_id: string, how: Waiting) => {
        const message = { server_id, backup_id, op_id: randomUUID() };
        const begin = () => plane.request('backups.retry', message);
        await follow(plane, server_id, failures.create, begin, how);
      }),
    );
  onBackup('rename', 'Renames a backup.')
    .argument('<name>', '1 to 48 characters')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, backup_id: string, name: string, how: Shown) => {
        printBackup((await plane.request('backups.rename', { server_id, backup_id, name })).backup, how);
      }),
    );
  for (const [name, locked] of [
    ['lock', true],
    ['unlock', false],
  ] as const)
    onBackup(name, locked ? 'Keeps a backup from being deleted.' : 'Allows a backup to be deleted.')
      .option('--json', 'as JSON')
      .action(
        asking(async (plane, server_id: string, backup_id: string, how: Shown) => {
          printBackup((await plane.request('backups.lock', { server_id, backup_id, locked })).backup, how);
        }),
      );
  verb('delete', 'Deletes backups, all or none of them. This cannot be undone.')
    .argument('<backup...>', 'IDs of the backups')
    .action(
      asking(async (plane, server_id: string, backup_ids: string[]) => {
        await plane.request('backups.delete', { server_id, backup_ids });
      }),
    );
  onBackup('restore', 'Replaces all files of a server by those of a backup; a safety backup is made first.')
    .option('--to <server>', 'another server of the same owner, whose files are replaced instead')
    .option('--no-safety', 'make no safety backup first')
    .option('--stop', 'stop a running server; it is started again afterwards')
    .option('--wait', 'wait until it is done')
    .option('--json', 'as JSON')
    .action(
      asking(async (plane, server_id: string, backup_id: string, given: RestoreOptions) => {
        const { to, safety, stop = false, ...how } = given;
        const message = { server_id, backup_id, op_id: randomUUID(), safety, stop, ...(to ? { to } : {}) };
        // the same request again says how it ended
        const begin = () => plane.request('backups.restore', message);
        await follow(plane, server_id, failures.restore, begin, how, begin);
      }),
    );
  const verify = (name: string, description: string, parent: Command) =>
    onBackup(name, description, parent)
      .option('--json', 'as JSON')
      .action(
        asking(async (plane, server_id: string, backup_id: string, how: Shown) => {
          const message = { server_id, backup_id, op_id: randomUUID() };
          const begin = () => plane.request('backups.verify', message);
          const outcome = async (ended: BackupView, before: BackupView) => {
            if (ended.verified === before.verified) throw new UserError(canceled);
          };
          await follow(plane, server_id, failures.verify, begin, { ...how, wait: true }, outcome);
        }),
      );
  const verifies =
    'Unpacks a backup, compares all sums, and removes what it unpacked; exit code 2 if it is damaged.';
  verify('verify', verifies, backup);
  verify('verify-backup', verifies, server);
  onBackup('cancel', 'Cancels what is in progress on a backup.').action(
    asking(async (plane, server_id: string, backup_id: string) => {
      await plane.request('backups.cancel', { server_id, backup_id });
    }),
  );
  onBackup('download', 'Downloads a backup as one tar.zst.')
    .option('--output <file>', 'the file (default: backup-<ID>.tar.zst); it must not exist')
    .action(
      asking(async (plane, server_id: string, backup_id: string, { output }: { output?: string }) => {
        await failingAs(failures.download, async () => {
          const ways = await plane.request('backups.download', { server_id, backup_id });
          const file = output ?? `backup-${backup_id}.tar.zst`;
          await downloadFile(await wayOf(url(), ways), file);
          console.log(file);
        });
      }),
    );
  retainCommand(
    verb('retain', 'Sets when backups are made by themselves and which of those stay, or prints it.'),
    asking,
  );
}

interface RestoreOptions extends Waiting {
  to?: string;
  safety: boolean;
  stop?: boolean;
}

/** Begins something on a backup; prints the backup, with `wait` when it has ended. */
async function follow(
  plane: ControlClient,
  server_id: string,
  failure: string,
  begin: () => Promise<{ backup: BackupView }>,
  { wait, json }: Waiting,
  /** Throws when nothing failed and it was not done either. */
  outcome?: (ended: BackupView, before: BackupView) => Promise<unknown>,
): Promise<void> {
  const { backup } = await failingAs(failure, begin);
  if (!wait) return printBackup(backup, { json });
  const target = { server_id, backup_id: backup.id };
  const ended = await failingAs(failure, () => waitForBackup(plane, target, (text) => console.error(text)));
  assertNoError(ended, failure);
  if (outcome) await failingAs(failure, () => outcome(ended, backup));
  printBackup(ended, { json });
}

function printBackup(backup: BackupView, { json }: { json?: boolean | undefined }): void {
  if (json) console.log(JSON.stringify(backup, null, 2));
  else print([backupLine(backup)]);
}

/** A backup as one line of a table. */
const backupLine = ({ id, name, state, locked, reason, created, bytes, error }: BackupView) => ({
  ...{ id, name, state, locked: locked ? 'yes' : '', reason, created },
  bytes: bytes ?? '',
  error: error?.code ?? '',
});

const retentionKeys = ['last', 'hourly', 'daily', 'weekly'] as const;

function retainCommand(command: Command, asking: Asking): void {
  command.option('--every <hours>', 'hours between automated backups, or off', hoursOrOff);
  for (const key of retentionKeys)
    command.option(
      `--${key} <count>`,
      `how many ${key === 'last' ? 'newest ones' : `${key} ones`} stay`,
      kept,
    );
  command.option('--json', 'as JSON').action(
    asking(async (plane, server_id: string, { json, every, ...counts }: RetainOptions) => {
      const { retention } = await plane.request('backups.list', { server_id });
      const wanted = {
        ...retention,
        ...counts,
        ...(every === undefined ? {} : { every_hours: every.hours }),
      };
      const isSame = JSON.stringify(wanted) === JSON.stringify(retention);
      const saved = isSame
        ? { retention }
        : await plane.request('backups.retain', { server_id, retention: wanted });
      if (json) console.log(JSON.stringify(saved.retention, null, 2));
      else print([{ ...saved.retention, every_hours: saved.retention.every_hours ?? 'off' }]);
    }),
  );
}

type RetainOptions = Shown &
  Partial<Omit<RetentionRules, 'every_hours'>> & { every?: { hours: number | null } };

function hoursOrOff(text: string): { hours: number | null } {
  if (text === 'off') return { hours: null };
  const hours = Number(text);
  if (!Number.isInteger(hours) || hours < 1 || hours > 168)
    throw new InvalidArgumentError('It must be off, or a whole number from 1 to 168.');
  return { hours };
}

function kept(text: string): number {
  const count = Number(text);
  if (!/^\d{1,2}$/.test(text) || count > max_backups)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${max_backups}.`);
  return count;
}
