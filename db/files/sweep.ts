import { opendir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Pool } from '../sql.ts';
import type { Storage, StoredObject } from '../storage/storage.ts';

export interface Swept {
  /** Objects looked at. */
  seen: number;
  /** Objects that no row names, and their bytes. */
  removed: number;
  bytes: number;
  /** Uploads that were never finished. */
  tmp_removed: number;
}

const day_ms = 24 * 3_600_000;
const batch = 1000;

/**
 * Removes objects below `data/` that no row names and left-overs of uploads, both older than 24 h (an upload stores its
 * file before its row). `dry_run` only counts. Safe beside a running product and beside itself; memory stays
 * constant. Source: design, Seams (Uploads).
 */
export async function sweep(
  sql: Pool,
  storage: Storage,
  now: Date,
  { dry_run = false } = {},
): Promise<Swept> {
  const before = new Date(now.getTime() - day_ms);
  const swept: Swept = {
    seen: 0,
    removed: 0,
    bytes: 0,
    tmp_removed: await sweepTmp(storage.tmp, before, dry_run),
  };
  let old: StoredObject[] = [];
  const judge = async () => {
    const named = await namedKeys(
      sql,
      old.map(({ key }) => key),
    );
    for (const { key, size } of old) {
      if (named.has(key)) continue;
      if (!dry_run) await storage.remove(key);
      swept.removed++;
      swept.bytes += size;
    }
    old = [];
  };
  for await (const object of storage.list('data')) {
    swept.seen++;
    if (object.modified >= before || object.key.startsWith(cached)) continue;
    if (old.push(object) === batch) await judge();
  }
  await judge();
  return swept;
}

/** Pictures of the texts' editor are named by texts, not by rows. Source: api-v2 §15. */
const cached = 'data/cached_images/';

/** Those of `keys` that a row names: a version's file, or a picture of a project, gallery, organization, collection or person. */
async function namedKeys(sql: Pool, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
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
    union all select avatar_key from users where avatar_key = any(${keys})
    union all select raw_avatar_key from users where raw_avatar_key = any(${keys})`;
  return new Set(rows.map(({ key }) => key));
}

async function sweepTmp(folder: string, before: Date, dry_run: boolean): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    const found = await stat(path).catch(() => null); // finished meanwhile
    if (!found || found.mtime >= before) continue;
    if (!dry_run) await rm(path, { recursive: true, force: true });
    removed++;
  }
  return removed;
}
