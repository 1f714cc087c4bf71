import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { inPages } from '../../platform/runtime/pages.ts';
import { withFieldsOf } from './field-filters.ts';
import { refColumns, rowsByIds, type VersionRef } from './pages.ts';
import { type VersionRow, visibleVersions } from './row.ts';
import { openStatuses } from './rules.ts';
import type { UpdateFilters } from './shape.ts';

/**
 * How to interpret a hash: its length determines the algorithm unless `algorithm` is given; `version_id` selects one
 * of several versions.
 */
export interface HashOptions {
  algorithm?: 'sha1' | 'sha512' | null | undefined;
  version_id?: string | undefined;
}

/** A version, with the one of its files that has the requested hash. */
export interface FoundVersion {
  version: VersionRow;
  file: VersionRow['files'][number];
}

/** For each hash, as sent, a reference to the oldest version with such a file that the actor may see. */
async function holders(
  db: Db,
  hashes: readonly string[],
  { algorithm, version_id }: HashOptions,
  actor: Actor | null,
): Promise<Map<string, VersionRef>> {
  const sent = Map.groupBy(knownHashes(hashes, algorithm), stored);
  if (sent.size === 0) return new Map();
  const rows = await db<Array<VersionRef & { sha1: string; sha512: string }>>`
    select ${refColumns(db)}, f.sha1, f.sha512
    from files f join versions v on v.id = f.version_id join projects p on p.id = v.project_id
    where ${has(db, [...sent.keys()])} ${version_id ? db`and v.id = ${version_id}` : db``}
    order by v.date_published, v.id`;
  const found = new Map<string, VersionRef>();
  for (const row of await visibleVersions(db, rows, actor)) {
    for (const hash of [row.sha1, row.sha512].flatMap((one) => sent.get(one) ?? [])) {
      if (!found.has(hash)) found.set(hash, row);
    }
  }
  return found;
}

/** The oldest visible version with a file of this hash, and the file; null when there is none. */
export async function fileByHash(
  db: Db,
  hash: string,
  options: HashOptions,
  actor: Actor | null,
): Promise<FoundVersion | null> {
  const version = await byHash(db, hash, options, actor);
  const file = version?.files.find(({ hashes }) => [hashes.sha1, hashes.sha512].includes(stored(hash)));
  return version && file ? { version, file } : null;
}

/** The version with a file of this hash, null when the actor can see none. Source: api-v2 §6. */
export async function byHash(
  db: Db,
  hash: string,
  options: HashOptions,
  actor: Actor | null,
): Promise<VersionRow | null> {
  const ref = (await holders(db, [hash], options, actor)).get(hash);
  return ref ? ((await rowsByIds(db, [ref])).get(ref.id) ?? null) : null;
}

/**
 * Versions by the hashes of their files, keyed by hash as sent: the oldest one visible to the actor; unknown and
 * hidden ones are left out. Fetched page by page as they are consumed. Source: api-v2 §6; api-behaviours §6.
 */
export async function byHashes(
  db: Db,
  hashes: readonly string[],
  options: HashOptions,
  actor: Actor | null,
): Promise<AsyncGenerator<[hash: string, version: VersionRow]>> {
  return versionsByHash(db, await matchesByHashes(db, hashes, options, actor));
}

/** Which versions `byHashes` finds. */
export async function matchesByHashes(
  db: Db,
  hashes: readonly string[],
  options: HashOptions,
  actor: Actor | null,
): Promise<Match[]> {
  const found = await holders(db, hashes, options, actor);
  return [...found].map(([hash, { id, bytes }]) => ({ hash, id, bytes }));
}

/** The projects of the versions that `byHashes` finds, keyed by hash as sent. */
export async function projectIdsByHashes(
  db: Db,
  hashes: readonly string[],
  options: HashOptions,
  actor: Actor | null,
): Promise<Map<string, string>> {
  const found = await holders(db, hashes, options, actor);
  return new Map([...found].map(([hash, { project_id }]) => [hash, project_id]));
}

/**
 * The file with this hash, even if hidden: only for writes, never for display. Of the oldest version unless
 * `version_id` selects one.
 */
export async function existingFile(
  db: Db,
  hash: string,
  { algorithm, version_id }: HashOptions,
): Promise<{ version_id: string; file_id: string } | null> {
  const known = [...knownHashes([hash], algorithm)].map(stored);
  const [row] = await db<Array<{ version_id: string; file_id: string }>>`
    select f.version_id, f.id as file_id from files f join versions v on v.id = f.version_id
    where ${has(db, known)} ${version_id ? db`and v.id = ${version_id}` : db``}
    order by v.date_published, v.id limit 1`;
  return row ?? null;
}

/** Hashes, and what an update of the projects with such files has to match. */
export interface UpdateQuery {
  hashes: readonly string[];
  filters: UpdateFilters;
}

/** A version found for a hash; `bytes` is its approximate response size. */
export interface Match {
  hash: string;
  id: string;
  bytes: number;
}

/** `ordering`: explicitly ordered versions sort before all others, then by number, then newest. `date`: newest. */
export type UpdateOrder = 'ordering' | 'date';

/**
 * For each hash, as sent, and each version with such a file: the best version of its project that passes the filters.
 * Candidates are public versions only, so that no draft is offered; projects that the actor may not see give none. One
 * round trip for 512 hashes, another one with hidden projects. Source: api-v2 §6; api-behaviours §5, §17 (8).
 */
export async function updates(
  db: Db,
  queries: readonly UpdateQuery[],
  { algorithm, version_id, order }: HashOptions & { order: UpdateOrder },
  actor: Actor | null,
): Promise<Match[]> {
  const asked = questionsOf(queries, algorithm);
  const best: Best[] = [];
  // one statement for thousands of filters would exceed the statement timeout
  for (let from = 0; from < asked.length; from += max_asked)
    best.push(...(await bestOf(db, asked.slice(from, from + max_asked), { version_id, order })));
  return (await visibleVersions(db, best, actor)).map(({ hash, id, bytes }) => ({ hash, id, bytes }));
}

/** Hashes per statement of `updates`. */
const max_asked = 512;

/** A known hash as sent, and its filters: one object for all equal ones. */
interface Question {
  hash: string;
  filters: ReturnType<typeof filtersOf>;
}

function questionsOf(queries: readonly UpdateQuery[], algorithm: HashOptions['algorithm']): Question[] {
  const distinct = new Map<string, Question['filters']>();
  return queries.flatMap(({ hashes, filters: given }) => {
    const filters = filtersOf(given);
    const name = JSON.stringify(filters);
    if (!distinct.has(name)) distinct.set(name, filters);
    const shared = distinct.get(name) ?? filters;
    return [...knownHashes(hashes, algorithm)].map((hash) => ({ hash, filters: shared }));
  });
}

type Best = VersionRef & { hash: string };

async function bestOf(
  db: Db,
  asked: readonly Question[],
  { version_id, order }: Pick<HashOptions, 'version_id'> & { order: UpdateOrder },
): Promise<Best[]> {
  const sent = asked.map(({ hash }) => hash);
  const hashes = sent.map(stored);
  const distinct = [...new Set(asked.map(({ filters }) => filters))];
  const numbers = new Map(distinct.map((filters, number) => [filters, number]));
  const filters = asked.map((question) => numbers.get(question.filters) ?? 0);
  return await db<Best[]>`
    with held as (
      select a.sent as hash, a.filter, holder.id, holder.project_id, holder.date_published
      from unnest(string_to_array(${hashes.join()}, ','), string_to_array(${sent.join()}, ','),
        string_to_array(${filters.join()}, ',')::int[]) as a (hash, sent, filter)
      join files f on ${holds(db, hashes)}
      join versions holder on holder.id = f.version_id
      ${version_id ? db`where holder.id = ${version_id}` : db``}
    ), questions as ( -- many files of one project are one question
      select distinct held.project_id, q.* from held
      join jsonb_to_recordset(${db.json(distinct.map((filters, filter) => ({ filter, ...filters })))})
        as q (filter int, loaders text[], game_versions text[], version_types text[], mrpack_loaders text[],
          environment text[]) using (filter)
    ), answers as (
      select q.filter, best.*
      from questions q
      cross join lateral (
        select ${refColumns(db)} from versions v join projects p on p.id = v.project_id
        where v.project_id = q.project_id and v.status = any(${openStatuses as string[]})
          and (q.loaders is null or v.loaders && q.loaders or v.mrpack_loaders && q.loaders)
          ${withFieldsOf(db)}
          and (q.version_types is null or v.version_type = any(q.version_types))
        order by ${order === 'ordering' ? db`v.ordering is null desc, v.ordering desc,` : db``}
          v.date_published desc, v.id desc
        limit 1
      ) best
    )
    select held.hash, answers.* from held join answers using (project_id, filter)
    order by held.date_published, held.id`;
}

/** The versions named by `matches` with their hash, grouped by hash, fetched as they are consumed. */
export const versionsByHash = (
  db: Db,
  matches: readonly Match[],
): AsyncGenerator<[hash: string, version: VersionRow]> => {
  const byHash = Map.groupBy(matches, ({ hash }) => hash);
  return inPages([...byHash.values()].flat(), async (page) => {
    const versions = await rowsByIds(db, page);
    return page.flatMap(({ hash, id }): Array<[string, VersionRow]> => {
      const version = versions.get(id);
      return version ? [[hash, version]] : [];
    });
  });
};

/** Filters as the query takes them: empty ones count as absent. */
const filtersOf = ({ loaders, game_versions, version_types, ...fields }: UpdateFilters) => ({
  loaders: loaders?.length ? loaders : null,
  game_versions: game_versions?.length ? game_versions : null,
  version_types: version_types?.length ? version_types : null,
  mrpack_loaders: fields.mrpack_loaders?.length ? fields.mrpack_loaders : null,
  environment: fields.environment?.length ? fields.environment : null,
});

const lengths = { sha1: 40, sha512: 128 } as const;

/** A hash as files state theirs. */
const stored = (hash: string) => hash.toLowerCase();

/** The valid hashes, as sent: hexadecimal of the right length, in upper or lower case. */
export const knownHashes = (hashes: readonly string[], algorithm: HashOptions['algorithm']): Set<string> =>
  new Set(
    hashes.filter(
      (hash) =>
        /^[0-9a-fA-F]+$/.test(hash) &&
        (algorithm
          ? hash.length === lengths[algorithm]
          : hash.length === lengths.sha1 || hash.length === lengths.sha512),
    ),
  );

/** Joins the file `f` with the hash `a.hash`: by one index only when all are of one algorithm. */
const holds = (db: Db, hashes: readonly string[]) => {
  if (hashes.every(({ length }) => length === lengths.sha1)) return db`f.sha1 = a.hash`;
  if (hashes.every(({ length }) => length === lengths.sha512)) return db`f.sha512 = a.hash`;
  return db`(f.sha1 = a.hash or f.sha512 = a.hash)`;
};

const has = (db: Db, hashes: readonly string[]) => {
  const sha1 = hashes.filter(({ length }) => length === lengths.sha1);
  const sha512 = hashes.filter(({ length }) => length === lengths.sha512);
  if (sha512.length === 0) return db`f.sha1 = any(${sha1}::text[])`;
  if (sha1.length === 0) return db`f.sha512 = any(${sha512}::text[])`;
  return db`(f.sha1 = any(${sha1}::text[]) or f.sha512 = any(${sha512}::text[]))`;
};
