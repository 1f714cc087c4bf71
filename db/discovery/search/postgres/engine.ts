import { Refused } from '../../../platform/errors.ts';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import { ConcurrencyLimiter } from '../../../platform/runtime/concurrency.ts';
import { hitV2, hitV3, type StoredDocument } from '../documents/hits.ts';
import type { Query, SearchIndex, SearchResult } from '../engine.ts';
import { namesUnknownKey } from '../query/filter-keys.ts';
import { queryTokens } from '../query/tokenize.ts';
import { onProjects } from './filter.ts';
import { format } from './format.ts';
import { countOptions } from './option-counts.ts';
import { nothing, relax, timedOut } from './relaxation.ts';
import { bounded, byColumn, newestVersions, type Selection, type Window } from './statements.ts';
import { applyChanges, rebuildFrom } from './write.ts';

/** A page of results with the version shown for each project. */
type Read = Omit<SearchResult, 'partial'>;

/** Pages beyond this are empty; the total stays correct. Source: search §2. */
const furthest = 200_000;
/** An older status is refreshed in the background. */
const status_max_age_ms = 1_000;

/**
 * The engine that uses Postgres only: it answers while no other engine is ready, and for sites without an index in
 * memory. Several processes share it through the database. `search` refuses `busy` (503) when 200 searches are queued,
 * one waited a second, or Postgres takes too long for a filter. Source: search §1, §3, §5.
 */
export function postgresEngine(sql: Pool): SearchIndex {
  const limiter = new ConcurrencyLimiter({ max_running: 4, max_waiting: 200, timeout_ms: 1_000 });
  const known = statusOf(sql);

  async function find({ text, filter, sort, only, limit, offset }: Query): Promise<SearchResult> {
    const window = offset > furthest ? { offset: 0, limit: 0 } : { offset, limit };
    const filtered = filter || only;
    const where = filtered
      ? sql`${onProjects(sql, filter)} and ${only ? sql`d.project_id = any(${[...only]}::text[])` : sql`true`}`
      : null;
    const selection: Selection = { where, sort, ...window };
    const read = (reading: (db: Db) => Promise<Window>): Promise<Read> =>
      bounded(sql, async (db) => {
        const found = await reading(db);
        const versions = await newestVersions(db, found.ids, filter);
        return { ...found, versionIds: found.ids.map((id) => versions.get(id) ?? null) };
      });
    const blank = text.trim() === '';
    const unanswerable = namesUnknownKey(filter) || (!blank && queryTokens(text).length === 0);
    if (unanswerable) return { ...nothing, versionIds: [], generation: known.generation(), partial: false };
    if (blank) return { ...(await read((db) => byColumn(db, selection))), partial: false };
    const { found, partial } = await relax(text, selection, read);
    return { ...found, partial };
  }

  return {
    name: 'postgres',
    search: (query) =>
      limiter
        .run(() => find(query))
        .catch((error: unknown) => {
          throw timedOut(error) ? new Refused('busy') : error;
        }),
    count: (query) =>
      limiter.run(async () => ({ ...(await countOptions(sql, query)), generation: known.generation() })),
    hits: async ({ ids, versionIds }, api, settings) => {
      if (ids.length === 0) return [];
      const rows = await sql<
        { project_id: string; shown: StoredDocument; downloads: number; follows: number }[]
      >`
        select project_id, shown, d.downloads, d.follows
        from search_hits join search_documents d using (project_id) where project_id = any(${ids}::text[])`;
      const byId = new Map(rows.map((row) => [row.project_id, row]));
      const hit = api === 2 ? hitV2 : hitV3;
      return ids.flatMap((id, i) => {
        const row = byId.get(id);
        if (!row) return [];
        const { shown, downloads, follows } = row;
        return [hit({ ...shown, downloads, follows }, versionIds[i] ?? null, settings)];
      });
    },
    apply: async (changes, db) => {
      if (db) await applyChanges(db, changes);
      else await sql.begin((tx) => applyChanges(tx, changes));
    },
    rebuild: (docs) => rebuildFrom(sql, docs),
    current: async () => {
      const [row] = await sql<{ current: boolean }[]>`
        select built and format = ${format} as current from search_state`;
      return row?.current ?? false;
    },
    status: known.status,
  };
}

/** Cached status of the index, refreshed in the background. */
function statusOf(sql: Pool) {
  let last = { engine: 'postgres' as const, ready: false, documents: 0, generation: 0, bytes: 0 };
  let requested = 0;
  const refresh = async () => {
    const [row] = await sql<Array<Omit<typeof last, 'engine'>>>`
      select built and format = ${format} as ready, generation, documents, pg_total_relation_size('search_documents')
        + pg_total_relation_size('search_hits') + pg_total_relation_size('search_terms') as bytes
      from search_state`;
    if (row) last = { ...last, ...row };
  };
  return {
    generation: () => last.generation,
    status: () => {
      if (Date.now() - requested > status_max_age_ms) {
        requested = Date.now();
        refresh().catch(() => {
          last = { ...last, ready: false };
        });
      }
      return last;
    },
  };
}
