import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredBackup } from '#db/hosting/servers/backups/download.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Storage } from '#db/platform/storage/storage.ts';
import type { PlaneContext } from '../context.ts';
import { downloadHeaders, requestedRange } from './download-headers.ts';

/** A part of an archive: from a byte to its end, or to one before that. */
interface Part {
  key: string;
  size: number;
  sha256: string | null;
  start: number;
  /** Inclusive. */
  end: number;
}

/** The etag of an export: of exactly the bytes that stand in it. Null for what is sent as a whole only. */
function etagOf({ head, sha256 }: StoredBackup): string | null {
  if (!head || !sha256) return null;
  return `"${createHash('sha256').update(head).update(sha256).digest('hex').slice(0, 40)}"`;
}

/**
 * Sends a backup at the platform to a client, without an agent; of an export also a part of it, so that a download goes on
 * after a cut. One that is damaged, or whose storage fails, is cut off. Refuses `backup_not_found`, `range_invalid`, and
 * `backup_target_failed` when the storage does not work. Source: RFC 9110 §13.1.5, §14.
 */
export async function sendStoredBackup(
  { storage, log }: Pick<PlaneContext, 'storage' | 'log'>,
  backup: StoredBackup,
  { range: wanted, 'if-range': of }: IncomingHttpHeaders,
  res: ServerResponse,
): Promise<void> {
  const { name, key, sha256 } = backup;
  const found = await storage.head(key).catch((error: NodeJS.ErrnoException) => {
    log.error({ err: error }, 'The storage of backups does not work');
    throw new Refused('backup_target_failed', { problem: error.code ?? error.message });
  });
  if (!found) throw new Refused('backup_not_found');
  const head = backup.head ?? Buffer.alloc(0);
  const etag = etagOf(backup);
  const total = head.length + found.size;
  const range = etag !== null && (of === undefined || of === etag) ? requestedRange(wanted, total) : null;
  const { offset, length } = range ?? { offset: 0, length: total };
  res.writeHead(range ? 206 : 200, {
    ...downloadHeaders({ name: `${name}.tar.zst`, type: 'application/zstd', inline: false }),
    'content-length': length,
    ...(etag === null ? {} : { etag, 'accept-ranges': 'bytes' }),
    ...(range ? { 'content-range': `bytes ${offset}-${offset + length - 1}/${total}` } : {}),
  });
  const start = Math.max(0, offset - head.length);
  const end = offset + length - 1 - head.length;
  try {
    await pipeline(async function* () {
      if (offset < head.length) yield head.subarray(offset, offset + length);
      if (end >= start) yield* checked(storage, { key, size: found.size, sha256, start, end });
    }, res);
  } catch (err) {
    log.warn({ err }, 'A backup could not be sent');
    res.destroy();
  }
}

/** The last bytes of an archive wait until its sum is right: what is damaged never looks complete. */
async function* checked(storage: Storage, part: Part): AsyncGenerator<Buffer> {
  const { key, size, start, end } = part;
  const content = await contentOf(storage, key, { start, end });
  if (end < size - 1) return yield* content;
  // the sum is of all: what was sent before is read beside it
  const beside = start > 0 ? sumOf(await contentOf(storage, key, { start: 0, end })) : null;
  beside?.sum.catch(() => {});
  const sum = createHash('sha256');
  let [bytes, last] = [start, null as Buffer | null];
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (!beside) sum.update(chunk);
      if (last) yield last;
      last = chunk;
    }
    const found = beside ? await beside.sum : sum.digest('hex');
    if (bytes !== size || (part.sha256 !== null && found !== part.sha256))
      throw new Error('a stored backup has other bytes than it had when it was made');
    if (last) yield last;
  } finally {
    beside?.stop();
  }
}

async function contentOf(
  storage: Storage,
  key: string,
  range: { start: number; end: number },
): Promise<Readable> {
  const content = await storage.read(key, range);
  if (!content) throw new Refused('backup_not_found');
  return content;
}

/** The SHA-256 of content that is read to its end; `stop` ends that. */
function sumOf(content: Readable): { sum: Promise<string>; stop(): void } {
  const sum = createHash('sha256');
  const read = async () => {
    for await (const chunk of content as AsyncIterable<Buffer>) sum.update(chunk);
    return sum.digest('hex');
  };
  return { sum: read(), stop: () => void content.destroy() };
}
