import { Refused } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';

/** Default upload quota of an account in bytes per day (UTC); moderators can change it for an account. */
export const default_upload_bytes_per_day = 10 * 1024 ** 3;

export interface UploadQuota {
  left_bytes: number;
  limit_bytes: number;
}

const dayOf = (now: Date): string => now.toISOString().slice(0, 10);

/** Bytes the account may still upload today. Reserves nothing: `countUpload` decides. */
export async function uploadQuota(db: Db, user_id: string, now: Date): Promise<UploadQuota> {
  const [row] = await db<Array<{ uploaded: number; limit_bytes: number }>>`
    select case when uploaded_day = ${dayOf(now)}::date then uploaded_bytes else 0 end as uploaded,
      coalesce(upload_limit_bytes, ${default_upload_bytes_per_day}::bigint) as limit_bytes
    from users where id = ${user_id}`;
  const { uploaded, limit_bytes } = row ?? { uploaded: 0, limit_bytes: default_upload_bytes_per_day };
  return { left_bytes: Math.max(0, limit_bytes - uploaded), limit_bytes };
}

/**
 * Counts stored bytes for the account, in the transaction that inserts their rows and before it locks anything else.
 * Refuses `upload_quota_reached` and then counts nothing.
 */
export async function countUpload(tx: Db, user_id: string, bytes: number, now: Date): Promise<void> {
  const [row] = await tx<Array<{ uploaded: number; limit_bytes: number }>>`
    update users set uploaded_day = ${dayOf(now)}::date,
      uploaded_bytes = case when uploaded_day = ${dayOf(now)}::date then uploaded_bytes else 0 end + ${bytes}::bigint
    where id = ${user_id}
    returning uploaded_bytes as uploaded,
      coalesce(upload_limit_bytes, ${default_upload_bytes_per_day}::bigint) as limit_bytes`;
  if (row && row.uploaded > row.limit_bytes) throw quotaReached(row.limit_bytes, now);
}

/** Sets the daily quota of the account in bytes, null for the default. Refuses `not_found`. */
export async function setUploadLimit(tx: Db, user_id: string, limit_bytes: number | null): Promise<void> {
  const { count } = await tx`update users set upload_limit_bytes = ${limit_bytes} where id = ${user_id}`;
  if (count === 0) throw new Refused('not_found');
}

/** The refusal `upload_quota_reached`, with the time until the next day (UTC). */
export function quotaReached(limit_bytes: number, now: Date): Refused {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  return new Refused('upload_quota_reached', {
    limit: `${Math.floor(limit_bytes / 1024 / 1024)} MB`,
    limit_bytes,
    retry_after_seconds: Math.ceil((midnight - now.getTime()) / 1000),
  });
}
