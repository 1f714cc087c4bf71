import type { Actor } from '../people/rules.ts';
import type { Db } from '../sql.ts';
import { selectRows, type VersionRow, versionOf, visible } from './row.ts';
import { openStatuses } from './rules.ts';
import type { UpdateFilters, Version } from './shape.ts';

/** How a hash is meant: its length decides unless `algorithm` is named; `version_id` picks among several versions. */
export interface HashOptions {
  algorithm?: 'sha1' | 'sha512' | null | undefined;
  version_id?: string | undefined;
}

/** A version together with that one of its files which has the hash that was asked for. */
export interface Found {
  version: Version;
  file: Version['files'][number];
}

/**
 * Per hash, as sent, the oldest version visible to the actor that holds a file with it; unknown and hidden ones are
 * left out. Two round trips at most. Source: api-v2 §6; api-behaviours §6.
 */
export async function filesByHashes(
  db: Db,
  hashes: readonly string[],
  { algorithm, version_id }: HashOptions,
  actor: Actor | null,
): Promise<Map<string, Found>> {
  const wanted = known(hashes, algorithm);
  if (wanted.size === 0) return new Map();
  const rows = await db<VersionRow[]>`
    ${selectRows(db)}
    where v.id in (select f.version_id from files f where ${has(db, [...wanted])})
      ${version_id ? db`and v.id = ${version_id}` : db``}
    order by v.date_published, v.id`;
  const found = new Map<string, Found>();
  for (const row of await visible(db, rows, actor)) {
    const version = versionOf(row);
    for (const file of version.files) {
      for (const hash of [file.hashes.sha1, file.hashes.sha512]) {
        if (wanted.has(hash) && !found.has(hash)) found.set(hash, { version, file });
      }
    }
  }
  return found;
}

/** The version that holds the file with this hash, null when there is none to see. Source: api-v2 §6. */
export async function byHash(
  db: Db,
  hash: string,
  options: HashOptions,
  actor: Actor | null,
): Promise<Version | null> {
  return (await filesByHashes(db, [hash], options, actor)).get(hash)?.version ?? null;
}

/** The versions that hold files with these hashes, by hash as sent. Source: api-v2 §6. */
export async function byHashes(
  db: Db,
  hashes: readonly string[],
  options: HashOptions,
  actor: Actor | null,
): Promise<Map<string, Version>> {
  const found = await filesByHashes(db, hashes, options, actor);
  return new Map([...found].map(([hash, { version }]) => [hash, version]));
}

/** The file with this hash, hidden or not: for writes, never to be shown. The oldest version's unless picked. */
export async function existingFile(
  db: Db,
  hash: string,
  { algorithm, version_id }: HashOptions,
): Promise<{ version_id: string; file_id: string } | null> {
  const wanted = known([hash], algorithm);
  const [row] = await db<Array<{ version_id: string; file_id: string }>>`
    select f.version_id, f.id as file_id from files f join versions v on v.id = f.version_id
    where ${has(db, [...wanted])} ${version_id ? db`and v.id = ${version_id}` : db``}
    order by v.date_published, v.id limit 1`;
  return row ?? null;
}

export type UpdateAsk = UpdateFilters & { hash: string };

/** `ordering`: explicitly ordered versions lose to all others, then by their number, then the newest. `date`: the newest. */
export type UpdateOrder = 'ordering' | 'date';

/**
 * Per hash, as sent, for each version that holds the file: the best version of its project that passes the filters.
 * Candidates are open ones only, so nobody is sent to a draft; projects the actor may not see give none. Two round
 * trips, three with hidden projects. Source: api-v2 §6; api-behaviours §5, §17 no. 8.
 */
export async function updates(
  db: Db,
  asks: readonly UpdateAsk[],
  { algorithm, version_id, order }: HashOptions & { order: UpdateOrder },
  actor: Actor | null,
): Promise<Map<string, Version[]>> {
  const wanted = known(
    asks.map(({ hash }) => hash),
    algorithm,
  );
  const asked = asks
    .filter(({ hash }) => wanted.has(hash))
    .map(({ hash, loaders, game_versions, version_types }) => ({
      hash,
      loaders: loaders?.length ? loaders : null,
      game_versions: game_versions?.length ? game_versions : null,
      version_types: version_types?.length ? version_types : null,
    }));
  if (asked.length === 0) return new Map();
  const best = await db<Array<{ hash: string; id: string }>>`
    select a.hash, best.id
    from jsonb_to_recordset(${db.json(asked)})
      as a (hash text, loaders text[], game_versions text[], version_types text[])
    join files f on f.sha1 = a.hash or f.sha512 = a.hash
    join versions holder on holder.id = f.version_id
    cross join lateral (
      select v.id from versions v
      where v.project_id = holder.project_id and v.status = any(${openStatuses as string[]})
        and (a.loaders is null or v.loaders && a.loaders or v.mrpack_loaders && a.loaders)
        and (a.game_versions is null or v.game_versions && a.game_versions)
        and (a.version_types is null or v.version_type = any(a.version_types))
      order by ${order === 'ordering' ? db`v.ordering is null desc, v.ordering desc,` : db``} v.date_published desc, v.id desc
      limit 1
    ) best
    ${version_id ? db`where holder.id = ${version_id}` : db``}
    order by holder.date_published, holder.id`;
  const rows = await db<VersionRow[]>`
    ${selectRows(db)} where v.id = any(${[...new Set(best.map(({ id }) => id))]}::text[])`;
  const versions = new Map((await visible(db, rows, actor)).map((row) => [row.id, versionOf(row)]));
  const found = new Map<string, Version[]>();
  for (const { hash, id } of best) {
    const version = versions.get(id);
    if (version) found.set(hash, [...(found.get(hash) ?? []), version]);
  }
  return found;
}

const lengths = { sha1: 40, sha512: 128 } as const;

/** The hashes that can be stored ones: lower-case hexadecimal of the right length. */
const known = (hashes: readonly string[], algorithm: HashOptions['algorithm']): Set<string> =>
  new Set(
    hashes.filter(
      (hash) =>
        /^[0-9a-f]+$/.test(hash) &&
        (algorithm
          ? hash.length === lengths[algorithm]
          : hash.length === lengths.sha1 || hash.length === lengths.sha512),
    ),
  );

const has = (db: Db, hashes: readonly string[]) => db`
  (f.sha1 = any(${hashes.filter(({ length }) => length === lengths.sha1)}::text[])
    or f.sha512 = any(${hashes.filter(({ length }) => length === lengths.sha512)}::text[]))`;
