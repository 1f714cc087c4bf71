import { Refused } from '../errors.ts';
import type { Pool } from '../postgres/sql.ts';
import { adoptStorage, isOwnStorage } from '../storage/pairing.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';
import { smallestCopy } from './image-copies.ts';

export interface GarbageReport {
  /** Number of objects checked. */
  seen: number;
  /** Objects without a row, and their bytes: moved to the trash. */
  removed: number;
  bytes: number;
  /** Unfinished uploads. */
  tmp_removed: number;
  /** Objects whose time in the trash is over. */
  trash_removed: number;
}

const day_ms = 24 * 3_600_000;
const batch = 1000;
const trash_ms = 14 * day_ms;

/** More garbage than this in one run suggests a wrong or older database. A few objects are always allowed. */
const brake = { always: 10, share: 0.05, most: 1000 } as const;

/**
 * Moves objects below `data/` without a row to `trash/<day>/`, from where they are deleted after 14 days, and removes
 * unfinished uploads; only those older than 24 h, because an upload stores its file before its row. `dry_run` only
 * counts. Safe while the product runs and concurrently with itself. Refuses `storage_foreign` when the storage belongs
 * to another database and `garbage_too_much` when more than 5 % or 1,000 objects would go; `force` skips both checks
 * and adopts the storage. Source: design §4.2.
 */
export async function collectGarbage(
  sql: Pool,
  storage: Storage,
  now: Date,
  { dry_run = false, force = false } = {},
): Promise<GarbageReport> {
  const own = await isOwnStorage(sql, storage);
  if (!own && !force) throw new Refused('storage_foreign');
  if (!own && !dry_run) await adoptStorage(sql, storage);
  const before = new Date(now.getTime() - day_ms);
  const found = await garbage(sql, storage, before);
  const report: GarbageReport = {
    seen: found.seen,
    removed: found.count,
    bytes: found.bytes,
    tmp_removed: 0,
    trash_removed: 0,
  };
  const allowed = Math.max(brake.always, Math.min(brake.most, found.seen * brake.share));
  if (found.count > allowed && !force && !dry_run)
    throw new Refused('garbage_too_much', { objects: found.count, seen: found.seen });
  report.tmp_removed = await storage.removeStaged(before, { dry_run });
  report.trash_removed = await emptyTrash(storage, now, dry_run);
  if (!dry_run)
    for (let at = 0; at < found.keys.length; at += batch)
      await moveToTrash(sql, storage, found.keys.slice(at, at + batch), { now, before });
  return report;
}

/** Objects without a row. Keeps their keys in memory, a few megabytes for ten thousand. */
async function garbage(sql: Pool, storage: Storage, before: Date) {
  const found = { seen: 0, count: 0, bytes: 0, keys: [] as string[] };
  let old: StoredObject[] = [];
  const judge = async () => {
    const named = await namedKeys(
      sql,
      old.map(({ key }) => key),
    );
    for (const { key, size } of old) {
      if (named.has(key)) continue;
      found.count++;
      found.bytes += size;
      found.keys.push(key);
    }
    old = [];
  };
  for await (const object of storage.list('data')) {
    found.seen++;
    if (object.modified >= before) continue;
    if (old.push(object) === batch) await judge();
  }
  await judge();
  return found;
}

/** Moves objects that still have no row and were not stored again since the check. */
async function moveToTrash(
  sql: Pool,
  storage: Storage,
  keys: string[],
  { now, before }: { now: Date; before: Date },
): Promise<void> {
  const named = await namedKeys(sql, keys);
  const day = now.toISOString().slice(0, 10);
  for (const key of keys) {
    if (named.has(key)) continue;
    const object = await storage.head(key);
    if (object && object.modified < before) await storage.move(key, `trash/${day}/${key}`);
  }
}

async function emptyTrash(storage: Storage, now: Date, dry_run: boolean): Promise<number> {
  const last = new Date(now.getTime() - trash_ms).toISOString().slice(0, 10);
  let removed = 0;
  for await (const { key } of storage.list('trash')) {
    const [, day = ''] = key.split('/');
    if (day >= last) continue;
    if (!dry_run) await storage.remove(key);
    removed++;
  }
  return removed;
}

/**
 * Those of the keys that a row names: a version's file, or an image of a project, gallery, organization, collection,
 * user, application or text. A row names only the smallest copy of an image.
 */
async function namedKeys(sql: Pool, stored: string[]): Promise<Set<string>> {
  if (stored.length === 0) return new Set();
  const keys = [...new Set(stored.map(smallestCopy))];
  const files = keys.flatMap((key) => {
    const [, project_id, , version_id, filename] =
      key.match(/^data\/([^/]+)\/(versions)\/([^/]+)\/([^/]+)$/) ?? [];
    return filename ? [{ key, project_id, version_id, filename }] : [];
  });
  const rows = await sql<Array<{ key: string }>>`
    select k.key from jsonb_to_recordset(${sql.json(files)}) as k (key text, project_id text, version_id text, filename text)
    join versions v on v.id = k.version_id and v.project_id = k.project_id
    join files f on f.version_id = v.id and f.filename = k.filename
    union all select icon_key from projects where icon_key = any(${keys})
    union all select raw_icon_key from projects where raw_icon_key = any(${keys})
    union all select key from gallery where key = any(${keys})
    union all select raw_key from gallery where raw_key = any(${keys})
    union all select icon_key from organizations where icon_key = any(${keys})
    union all select raw_icon_key from organizations where raw_icon_key = any(${keys})
    union all select icon_key from collections where icon_key = any(${keys})
    union all select raw_icon_key from collections where raw_icon_key = any(${keys})
    union all select icon_key from oauth_clients where icon_key = any(${keys})
    union all select raw_icon_key from oauth_clients where raw_icon_key = any(${keys})
    union all select avatar_key from users where avatar_key = any(${keys})
    union all select raw_avatar_key from users where raw_avatar_key = any(${keys})
    union all select banner_key from users where banner_key = any(${keys})
    union all select raw_banner_key from users where raw_banner_key = any(${keys})
    union all select key from images where key = any(${keys})
    union all select raw_key from images where raw_key = any(${keys})`;
  const named = new Set(rows.map(({ key }) => key));
  return new Set(stored.filter((key) => named.has(smallestCopy(key))));
}
