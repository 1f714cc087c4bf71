import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { ServerRecord } from '../read.ts';
import { manifest_name, manifestOf } from './manifest.ts';

/** Two empty blocks end a tar; what follows without them are more entries. */
const end_of_tar = 1024;

/**
 * Stores what stands before the archive of an export, in the transaction that begins it: the manifest as the first entry of
 * the tar, compressed by itself. Frames of zstd after each other are one stream, so the archive needs no change.
 */
export async function storeHead(
  db: Db,
  server: Pick<ServerRecord, 'view'>,
  backup_id: string,
  now: Date,
): Promise<void> {
  const text = `${JSON.stringify(await manifestOf(db, server, now), null, 2)}\n`;
  const tar = pack();
  tar.entry({ name: manifest_name, mtime: now, mode: 0o644 }, text);
  tar.finalize();
  const entries = (await buffer(tar)).subarray(0, -end_of_tar);
  const head = await promisify(zstdCompress)(entries);
  await db`insert into server_exports ${db({ backup_id, head })}`;
}
