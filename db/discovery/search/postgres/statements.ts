import type { Fragment, PendingQuery } from 'postgres';
import type { Db, Pool } from '../../../platform/postgres/sql.ts';
import type { FilterTree } from '../engine.ts';
import { rerank_window, same_tokens_bonus } from '../query/rerank.ts';
import type { Sort } from '../sorts.ts';
import { newestVersion } from './filter.ts';
import { type QueryToken, scoreOf } from './text-match.ts';

/** The matches, before a page is cut out. */
export interface Selection {
  /** SQL over `d`, text and filter together; null: everything. */
  where: Fragment | null;
  sort: Sort;
  offset: number;
  limit: number;
}

export interface Window {
  ids: string[];
  total: number;
  generation: number;
  left_out?: readonly string[];
}

export const timeout_ms = 2_000;

/** Reads in one transaction with a statement timeout in milliseconds. */
export async function bounded<T>(
  sql: Pool,
  read: (db: Db) => Promise<T>,
  within_ms: number = timeout_ms,
): Promise<T> {
  return (await sql.begin('isolation level repeatable read read only', async (tx) => {
    await tx`select set_config('statement_timeout', ${String(within_ms)}, true), set_config('jit', 'off', true),
      set_config('work_mem', '32MB', true), set_config('max_parallel_workers_per_gather', '0', true),
      set_config('enable_seqscan', 'off', true)`;
    return await read(tx);
  })) as T;
}

/**
 * Without a prepared statement: every filter has its own SQL text, and the server would cache each for the lifetime of
 * the connection. The driver's `simple()` sets the same option.
 */
export function once<T extends readonly (object | undefined)[]>(query: PendingQuery<T>): PendingQuery<T> {
  (query as unknown as { options: { prepare?: boolean } }).options.prepare = false;
  return query;
}

const columnOf = (db: Db, sort: Sort): Fragment =>
  ({
    relevance: db`d.downloads`,
    downloads: db`d.downloads`,
    follows: db`d.follows`,
    newest: db`d.created_timestamp`,
    updated: db`d.modified_timestamp`,
  })[sort];

/** A page in the order of a column, ties by newest version, then id; the total is exact. */
export async function byColumn(db: Db, { where, sort, offset, limit }: Selection): Promise<Window> {
  const column = columnOf(db, sort);
  const [row] = where
    ? await once(db<Window[]>`
        with matched as materialized (
          select d.project_id, ${column} as rank, d.newest_version from search_documents d where ${where})
        select (select count(*) from matched) as total, (select generation from search_state) as generation,
          array(select project_id from matched order by rank desc, newest_version desc, project_id
            limit ${limit} offset ${offset}) as ids`)
    : await db<Window[]>`
        select (select documents from search_state) as total, (select generation from search_state) as generation,
          array(select project_id from search_documents d order by ${column} desc, newest_version desc, project_id
            limit ${limit} offset ${offset}) as ids`;
  return row as Window;
}

/** Number of matches that are ranked by text; the rest keeps the order of the preselection. */
export const candidates = 2_000;

export interface TextSearch {
  tokens: QueryToken[];
  /** The forms of the query without spaces, as typed first. */
  keys: string[];
  /** The words of each form, sorted. */
  sorted: string[];
  /** tsquery that tests whether the title alone matches the query. */
  title: string;
  /** tsquery that tests whether the words themselves match, without synonyms. */
  words: string;
}

export interface Ranked {
  project_id: string;
  title_key: string;
  score: number;
  total: number;
  generation: number;
}

const chosenBy = (db: Db) =>
  db`same desc, starts desc, titled desc, worded desc, downloads desc, newest_version desc, project_id`;

function matched(db: Db, where: Fragment, { keys, title, words, tokens }: TextSearch): Fragment {
  const synonyms = tokens.some((word) => word.synonyms.length > 0);
  return db`
    select d.project_id, d.downloads, d.newest_version, d.title_key = any(${keys}::text[]) as same,
      ${keys.map((key, i) => db`${i === 0 ? db`` : db`or`} starts_with(d.title_key, ${key})`)} as starts,
      d.terms @@ ${title}::tsquery as titled,
      ${synonyms ? db`d.terms @@ ${words}::tsquery` : db`true`} as worded
    from search_documents d where ${where}`;
}

/** The best matches by ranking stage 1, enough for reranking and for the page. Source: search §3. */
export async function byText(db: Db, where: Fragment, search: TextSearch, upTo: number): Promise<Ranked[]> {
  const { tokens, sorted } = search;
  const scores = tokens.map((word, i) => {
    const score = scoreOf(db, word, tokens.length);
    return i === 0 ? score : db`+ ${score}`;
  });
  return await once(db<Ranked[]>`
    with matched as materialized (${matched(db, where, search)}),
      best as (select * from matched order by ${chosenBy(db)} limit ${candidates})
    select b.project_id, d.title_key,
      (${scores}) / ${tokens.length}::float8 * case when b.same then 2 else 1 end
        + case when d.title_sorted = ${sorted[0] ?? ''} then ${same_tokens_bonus.typed}::float8
            when d.title_sorted = any(${sorted}::text[]) then ${same_tokens_bonus.form}::float8 else 0 end
        + 2 * least(1, ${tokens.length}::float8 / greatest(1, d.title_words)) + 0.9 * log(b.downloads + 1) as score,
      (select count(*) from matched) as total, (select generation from search_state) as generation
    from best b join search_documents d on d.project_id = b.project_id
    order by score desc, b.newest_version desc, b.project_id
    limit ${Math.min(candidates, Math.max(rerank_window, upTo))}`);
}

/** A page beyond the ranked candidates. */
export async function behindCandidates(
  db: Db,
  where: Fragment,
  search: TextSearch,
  { offset, limit }: { offset: number; limit: number },
): Promise<Window> {
  const [row] = await once(db<Window[]>`
    with matched as materialized (${matched(db, where, search)})
    select (select count(*) from matched) as total, (select generation from search_state) as generation,
      array(select project_id from matched order by ${chosenBy(db)} limit ${limit} offset ${offset}) as ids`);
  return row as Window;
}

/** For each project the newest version of its rows that satisfy the tree. */
export async function newestVersions(
  db: Db,
  ids: string[],
  tree: FilterTree | null,
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const rows = await once(db<{ project_id: string; version_id: string | null }[]>`
    select d.project_id, ${newestVersion(db, tree)} as version_id
    from search_documents d where d.project_id = any(${ids}::text[])`);
  return new Map(rows.map(({ project_id, version_id }) => [project_id, version_id]));
}
