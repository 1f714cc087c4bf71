import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { createSharedLimiter, type SharedLimiter } from '#db/platform/runtime/shared-rate-limit.ts';
import { assertTextSpace } from '#db/platform/storage/reserve.ts';
import type { AppServices } from '../context.ts';

type Counting = Pick<AppServices, 'sql' | 'storage'>;

/** Bytes of JSON and form fields that one account may send in a day: texts stay in the database, files have a quota of their own. */
export const written_bytes_per_day = 32 * 1024 ** 2;

/** Less may be written on a full disk: signing out, settings, deleting. */
const small_bytes = 4 * 1024;

const known = new WeakMap<Counting['sql'], SharedLimiter>();

/**
 * Counts what a signed-in caller wrote, for every write alike. Refuses `rate_limited` beyond the count of a day, and
 * `storage_full` while the disk, where the database may be, has little left.
 */
export async function countWritten(
  { sql, storage }: Counting,
  { user_id }: Pick<Actor, 'user_id'>,
  bytes: number,
): Promise<void> {
  const rate = { count: written_bytes_per_day, per_ms: 86_400_000 };
  const limiter = known.get(sql) ?? createSharedLimiter(sql, 'written', rate);
  known.set(sql, limiter);
  const { allowed, retry_after_ms } = limiter.hit(user_id, Date.now(), bytes); // counts are shared by the clock of the machine
  if (!allowed)
    throw new Refused('rate_limited', {
      retry_after_ms,
      retry_after_seconds: Math.ceil(retry_after_ms / 1000),
    });
  if (bytes > small_bytes) assertTextSpace(await storage.space(), bytes);
}
