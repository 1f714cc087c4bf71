import { Refused } from '../../platform/errors.ts';
import { quotaReached, uploadQuota } from '../../platform/files/quota.ts';
import { fileExtensions, whyNotName } from '../../platform/files/rules.ts';
import { isId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Settings } from '../../platform/runtime/env.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { assertMayPublish } from '../versions/write.ts';
import { expiredBefore, type UploadRow } from './read.ts';
import { upload_limits, whyNotAnnounce } from './rules.ts';

/**
 * Announces a file of a project that will arrive in pieces. Nobody announces more than the day allows. Refuses
 * `file_name_invalid`, `file_type_unsupported`, `file_too_large`, `uploads_too_many`, `upload_quota_reached`,
 * `project_unknown`, `not_a_member`, `permission_missing`.
 */
export async function announceUpload(
  tx: Db,
  actor: Actor,
  upload: UploadRow,
  { settings: { MAX_FILE_BYTES }, now }: { settings: Settings; now: Date },
): Promise<void> {
  const { filename, project_id, size } = upload;
  const code = whyNotName(filename);
  if (code) throw new Refused(code, { filename, extensions: Object.keys(fileExtensions).join(', ') });
  if (size > MAX_FILE_BYTES) {
    const limit = `${Math.floor(MAX_FILE_BYTES / 1024 / 1024)}MiB`;
    throw new Refused('file_too_large', { filename, limit, limit_bytes: MAX_FILE_BYTES });
  }
  await assertMayPublish(tx, project_id, actor);
  // one announcement of a person at a time, so that two together do not exceed what each alone may
  await tx`select 1 from users where id = ${actor.user_id} for update`;
  const [open] = await tx<[{ open: number; bytes: number }]>`
    select count(*)::int as open, coalesce(sum(size), 0)::bigint as bytes
    from uploads where user_id = ${actor.user_id} and touched > ${expiredBefore(now)}`;
  const quota = await uploadQuota(tx, actor.user_id, now);
  const why = whyNotAnnounce(size, { ...open, left_bytes: quota.left_bytes });
  if (why === 'upload_quota_reached') throw quotaReached(quota.limit_bytes, now);
  if (why) throw new Refused(why, { limit: upload_limits.open });
  await tx`insert into uploads ${tx({ ...upload, user_id: actor.user_id, touched: now })}`;
}

/** Notes that bytes arrived. */
export async function touchUpload(db: Db, id: string, now: Date): Promise<void> {
  await db`update uploads set touched = ${now} where id = ${id}`;
}

/**
 * Forgets uploads that a version now names, in the transaction of its rows. Refuses `part_missing` when another request was
 * faster: an upload becomes one version.
 */
export async function consumeUploads(tx: Db, actor: Actor, ids: readonly string[]): Promise<void> {
  const removed = await removeUploads(tx, actor, ids);
  const part = ids.find((id) => !removed.includes(id));
  if (part !== undefined) throw new Refused('part_missing', { part });
}

/** Forgets the actor's uploads and gives those that were there; the caller discards their bytes after the commit. */
export async function removeUploads(tx: Db, actor: Actor, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<Array<{ id: string }>>`
    delete from uploads where id = any(${ids.filter(isId)}::text[]) and user_id = ${actor.user_id} returning id`;
  return rows.map(({ id }) => id);
}

/** Discards the bytes of forgotten uploads; what a crash leaves is removed with other unfinished uploads. */
export async function discardPartials(storage: Storage, ids: readonly string[]): Promise<void> {
  for (const id of ids) await (await storage.partial(id))?.discard();
}

/** Removes uploads that got no byte for a day, with their bytes. Gives their number. */
export async function deleteExpiredUploads(db: Db, storage: Storage, now: Date): Promise<number> {
  const rows = await db<Array<{ id: string }>>`
    delete from uploads where touched <= ${expiredBefore(now)} returning id`;
  await discardPartials(
    storage,
    rows.map(({ id }) => id),
  );
  return rows.length;
}
