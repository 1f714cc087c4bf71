import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Refused } from '#db/errors.ts';
import type { PlaneContext } from '../context.ts';
import { downloadHeaders } from './download-headers.ts';

/** The last bytes wait until the sum is right: what is damaged never looks complete. */
async function* checked(content: AsyncIterable<Buffer>, size: number, sha256: string | null) {
  const sum = createHash('sha256');
  let [bytes, last] = [0, null as Buffer | null];
  for await (const chunk of content) {
    bytes += chunk.length;
    sum.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (bytes !== size || (sha256 !== null && sum.digest('hex') !== sha256))
    throw new Error('a stored backup has other bytes than it had when it was made');
  if (last) yield last;
}

/**
 * Sends a backup at the platform to a client, without an agent. One that is damaged, or whose storage fails,
 * is cut off. Refuses `backup_not_found`, and `backup_target_failed` when the storage does not work.
 */
export async function sendStoredBackup(
  { storage, log }: Pick<PlaneContext, 'storage' | 'log'>,
  { name, key, sha256 }: { name: string; key: string; sha256: string | null },
  res: ServerResponse,
): Promise<void> {
  const opened = async (): Promise<{ size: number; content: Readable } | null> => {
    const object = await storage.head(key);
    const content = object && (await storage.read(key));
    return content ? { size: object.size, content } : null;
  };
  const found = await opened().catch((error: NodeJS.ErrnoException) => {
    log.error({ err: error }, 'The storage of backups does not work');
    throw new Refused('backup_target_failed', { problem: error.code ?? error.message });
  });
  if (!found) throw new Refused('backup_not_found');
  res.writeHead(200, {
    ...downloadHeaders({ name: `${name}.tar.zst`, type: 'application/zstd', inline: false }),
    'content-length': found.size,
  });
  try {
    await pipeline(
      found.content,
      (content: AsyncIterable<Buffer>) => checked(content, found.size, sha256),
      res,
    );
  } catch (err) {
    log.warn({ err }, 'A backup could not be sent');
    res.destroy();
  }
}
