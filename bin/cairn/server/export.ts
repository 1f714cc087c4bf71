import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { UserError } from '../../user-error.ts';
import type { ControlClient } from '../control-client.ts';
import { show } from '../print.ts';
import { assertNoError, backupTask, failures } from './backup-tasks.ts';
import { assertNew, descriptionOf } from './download.ts';
import { json, required, server_id, text } from './parameters.ts';
import { type Row, row } from './row.ts';
import { failingAs, waitForTask } from './tasks.ts';

/** Exit code of a download that was cut off: the same command goes on with it. */
const cut_exit_code = 2;

/** What `FILE.part` is a part of; beside it as `FILE.part.json`. */
const begunShape = z.object({ server_id: z.string(), backup_id: z.string(), etag: z.string() });
type Begun = z.output<typeof begunShape>;

interface Where {
  file: string;
  part: string;
  note: string;
}

/** Everything of a server as one archive. */
export const exportRow: Row = row(
  'export',
  'Makes one archive of all files of a server and what Cairn knows of it, and downloads it. After a cut (exit code 2) the same command goes on.',
  {
    server_id,
    to: required(text('--to <file>', 'the file (tar.zst); it must not exist')),
    json,
  },
).runs(async (plane, { server_id, to: file, json }) => {
  await assertNew(file);
  const where = { file, part: `${file}.part`, note: `${file}.part.json` };
  const begun = await begunBefore(plane, server_id, where);
  const backup_id = begun?.backup_id ?? (await makeExport(plane, server_id));
  const { address } = await failingAs(failures.download, () =>
    plane.request('backups.download', { server_id, backup_id }),
  );
  const got = await fetchExport(`${plane.url.replace(/\/+$/, '')}${address}`, where, {
    ...{ server_id, backup_id, etag: begun?.etag ?? null },
  });
  await show({ file, backup_id, ...got }, json, () => file);
});

/** The export that a part of is here, if Cairn still has it; otherwise the part is removed. */
async function begunBefore(
  plane: ControlClient,
  server_id: string,
  { part, note }: Where,
): Promise<Begun | null> {
  const text = await readFile(note, 'utf8').catch(() => null);
  const begun = text === null ? null : begunShape.safeParse(parsed(text)).data;
  if (begun?.server_id === server_id) {
    const { backups } = await plane.request('backups.list', { server_id });
    const kept = backups.find(({ id }) => id === begun.backup_id);
    if (kept?.reason === 'export' && kept.state === 'done') return begun;
    console.error('Cairn does not have the archive of this part any more: another one is made.');
  }
  await rm(part, { force: true });
  await rm(note, { force: true });
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function makeExport(plane: ControlClient, server_id: string): Promise<string> {
  const message = { server_id, op_id: randomUUID(), takes_away: true };
  const { backup } = await failingAs(failures.create, () => plane.request('backups.create', message));
  const target = { server_id, id: backup.id };
  const ended = await failingAs(failures.create, () => waitForTask(plane, backupTask, target));
  assertNoError(ended, failures.create);
  return ended.id;
}

/**
 * Downloads into the part, behind what is there if that is of the same bytes, and gives it its name when all of it is there.
 * `resumed_from`: bytes that were there already. A cut ends the command with exit code 2.
 */
async function fetchExport(
  address: string,
  { file, part, note }: Where,
  { etag, ...of }: Omit<Begun, 'etag'> & { etag: string | null },
): Promise<{ bytes: number; resumed_from: number }> {
  const there = etag === null ? 0 : ((await stat(part).catch(() => null))?.size ?? 0);
  // the last byte again: a part that is complete already has nothing behind it
  const from = Math.max(0, there - 1);
  const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, 'if-range': etag! } : {};
  const answer = await fetch(address, { headers }).catch(() => null);
  if (!answer?.ok || !answer.body) {
    const away = 'Cairn is not responding.';
    const why = answer ? await descriptionOf(answer, () => away) : away;
    throw new UserError(`${failures.download}: ${why}`, answer ? 1 : cut_exit_code);
  }
  const resumed_from = answer.status === 206 ? from : 0;
  const total = resumed_from + Number(answer.headers.get('content-length'));
  await writeFile(note, JSON.stringify({ ...of, etag: answer.headers.get('etag') ?? '' }));
  const handle = await open(part, resumed_from > 0 ? 'r+' : 'w');
  const written = handle.createWriteStream({ start: resumed_from });
  const bytes = () => resumed_from + written.bytesWritten;
  try {
    await pipeline(Readable.fromWeb(answer.body as never), written);
    if (bytes() !== total) throw new Error('it ended early');
  } catch (error) {
    throw new UserError(
      `The download was cut off after ${bytes()} of ${total} bytes: ${(error as Error).message}. Run the same command again to go on.`,
      cut_exit_code,
    );
  }
  await rename(part, file);
  await rm(note, { force: true });
  return { bytes: total, resumed_from };
}
