import { InvalidArgumentError } from 'commander';
import { max_backups } from '#db/hosting/servers/backups/rules.ts';
import { show } from '../print.ts';
import { backupLine, failures, followBackup, followRestore, followVerification } from './backup-tasks.ts';
import { assertNew, openDownload, saveDownload, wayOf } from './download.ts';
import { fixed, flag, given, json, op_id, parsed, server as server_id, text, wait } from './parameters.ts';
import { type Row, row } from './row.ts';
import { failingAs } from './tasks.ts';

const backup_id = text('<backup>', 'ID of the backup');
const onBackup = { server_id, backup_id };

/** Backups of game servers. */
export const backupRows: Row[] = [
  row('backup list', 'Lists the backups of a server, newest first.', { server_id, json })
    .asks('backups.list')
    .shows('backups', (backups) => backups.map(backupLine)),
  row('backup create', 'Begins a backup and prints it, also while the server runs.', {
    server_id,
    name: text('--name <name>', '1 to 48 characters (default: "Backup #n")'),
    wait,
    json,
    op_id,
  })
    .asks('backups.create')
    .follows(failures.create, followBackup),
  row('backup retry', 'Makes a failed backup again, under the same name.', { ...onBackup, wait, json, op_id })
    .asks('backups.retry')
    .follows(failures.create, followBackup),
  row('backup rename', 'Renames a backup.', { ...onBackup, name: text('<name>', '1 to 48 characters'), json })
    .asks('backups.rename')
    .shows('backup', (backup) => [backupLine(backup)]),
  lockRow('lock', true, 'Keeps a backup from being deleted.'),
  lockRow('unlock', false, 'Allows a backup to be deleted.'),
  row('backup delete', 'Deletes backups, all or none of them. This cannot be undone.', {
    server_id,
    backup_ids: text('<backup...>', 'IDs of the backups'),
  }).asks('backups.delete'),
  row(
    'backup restore',
    'Replaces all files of a server by those of a backup; a safety backup is made first.',
    {
      ...onBackup,
      to: text('--to <server>', 'another server of the same owner, whose files are replaced instead'),
      safety: flag('--no-safety', 'make no safety backup first'),
      stop: flag('--stop', 'stop a running server; it is started again afterwards'),
      wait,
      json,
      op_id,
    },
  )
    .asks('backups.restore', ({ to, ...message }) => ({ ...message, ...(to ? { to } : {}) }))
    .follows(failures.restore, followRestore),
  verifyRow('backup verify'),
  verifyRow('verify-backup'),
  row('backup cancel', 'Cancels what is in progress on a backup.', onBackup).asks('backups.cancel'),
  row('backup download', 'Downloads a backup as one tar.zst.', {
    ...onBackup,
    output: text('--output <file>', 'the file (default: backup-<ID>.tar.zst); it must not exist'),
  }).runs((plane, { server_id, backup_id, output = `backup-${backup_id}.tar.zst` }) =>
    failingAs(failures.download, async () => {
      const ways = await plane.request('backups.download', { server_id, backup_id });
      const way = await wayOf(plane.url, ways);
      await assertNew(output);
      await saveDownload(await openDownload(way, () => 'Cairn is not responding.'), output);
      console.log(output);
    }),
  ),
  row('backup retain', 'Sets when backups are made by themselves and which of those stay, or prints it.', {
    server_id,
    every: parsed('--every <hours>', 'hours between automated backups, or off', hoursOrOff),
    last: parsed('--last <count>', 'how many newest ones stay', kept),
    hourly: parsed('--hourly <count>', 'how many hourly ones stay', kept),
    daily: parsed('--daily <count>', 'how many daily ones stay', kept),
    weekly: parsed('--weekly <count>', 'how many weekly ones stay', kept),
    json,
  }).runs(async (plane, { server_id, every, json, ...counts }) => {
    const { retention: now } = await plane.request('backups.list', { server_id });
    const retention = { ...now, ...given(counts), ...(every && { every_hours: every.hours }) };
    const isSame = JSON.stringify(retention) === JSON.stringify(now);
    const saved = isSame ? { retention } : await plane.request('backups.retain', { server_id, retention });
    await show(saved.retention, json, (one) => [{ ...one, every_hours: one.every_hours ?? 'off' }]);
  }),
];

function lockRow(name: string, locked: boolean, help: string): Row {
  return row(`backup ${name}`, help, { ...onBackup, locked: fixed(locked), json })
    .asks('backups.lock')
    .shows('backup', (backup) => [backupLine(backup)]);
}

function verifyRow(path: string): Row {
  return row(
    path,
    'Unpacks a backup, compares all sums, and removes what it unpacked; exit code 2 if it is damaged.',
    { ...onBackup, json, wait: fixed(true), op_id },
  )
    .asks('backups.verify')
    .follows(failures.verify, followVerification);
}

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
