import { createHash } from 'node:crypto';
import { BackupError } from './error.ts';

export const tooLarge = (max_bytes: number): BackupError =>
  new BackupError(
    'backup_target_failed',
    `the backup takes more than the ${Math.floor(max_bytes / 1024 / 1024)} MB that it may`,
  );

/** Counts and sums what passes. Throws `backup_target_failed` beyond `max_bytes`. */
export function meter(max_bytes: number) {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async *pass(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > max_bytes) throw tooLarge(max_bytes);
        hash.update(chunk);
        yield chunk;
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  };
}

/**
 * Passes content whose SHA-256 is known. The last chunk is held back until the sum is right: whoever reads gets no complete
 * copy of anything else. Throws `backup_damaged`.
 */
export async function* checked(
  content: AsyncIterable<Buffer>,
  sha256: string | null,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const chunk of content) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new BackupError('backup_damaged');
  if (last) yield last;
}

/** Fails when no chunk comes for `idle_ms`. */
export async function* notIdle(content: AsyncIterable<Buffer>, idle_ms: number): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]();
  let finished = false;
  try {
    for (;;) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new BackupError('backup_target_failed', 'it stopped sending')),
        idle_ms,
      );
      const next = await Promise.race([chunks.next(), late.promise]).finally(() => clearTimeout(timer));
      if (next.done) {
        finished = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!finished) void chunks.return?.().then(undefined, () => {});
  }
}
