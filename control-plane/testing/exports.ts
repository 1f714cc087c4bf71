import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '../protocol/agent.ts';
import { becomes, ended, madeBackup, operationOf } from './backups.ts';
import type { RentedServer } from './plane.ts';
import { store, sumOf } from './stored-backups.ts';

/** Files of a server as its agent would pack them: a `tar.zst` of a world that does not compress. */
export function packedServer(bytes = 3_000_000): { archive: Buffer; world: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-packed-'));
  const world = randomBytes(bytes);
  mkdirSync(join(folder, 'world'));
  writeFileSync(join(folder, 'world/level.dat'), world);
  writeFileSync(join(folder, 'server.properties'), 'motd=Valley\n');
  const packed = join(folder, '.packed.tar.zst');
  execFileSync('tar', ['--zstd', '-cf', packed, '-C', folder, 'world', 'server.properties']);
  const archive = execFileSync('cat', [packed], { maxBuffer: 2 * bytes });
  rmSync(folder, { recursive: true });
  return { archive, world };
}

/** The agent stores this archive as the backup of its operation. */
export async function makeArchive(
  renter: RentedServer,
  url: string,
  operation: Operation,
  archive: Buffer,
): Promise<string> {
  const id = String(operation.args.backup_id);
  await becomes(renter, id, { state: 'creating' });
  const file = { server_id: renter.id, name: `${id}.tar.zst` };
  const answer = await store({ runner: renter.runner, url }, file, archive);
  if (!answer.ok) throw new Error(answer.error);
  const facts = madeBackup({ bytes: archive.length, sha256: sumOf(archive) });
  await ended(renter, operation, 'done', facts);
  await becomes(renter, id, { state: 'done' });
  return id;
}

/** An export that was made. */
export async function exported(renter: RentedServer, url: string, archive: Buffer): Promise<string> {
  const op_id = randomUUID();
  const answer = await renter.screen.request('backups.create', {
    ...{ server_id: renter.id, op_id, takes_away: true },
  });
  if (!answer.ok) throw new Error(answer.error);
  const operation = await operationOf(renter, ({ op_id: one }) => one === op_id);
  return await makeArchive(renter, url, operation, archive);
}
