import type { API, Types } from '@opensearch-project/opensearch';
import type { StoredDocument } from '../documents/hits.ts';
import type { Query, SearchResult } from '../engine.ts';
import { leftOut, type RelaxedQuery, relaxations } from '../query/relaxation.ts';
import { rerank_window, reranked } from '../query/rerank.ts';
import { spaceless, titleForms } from '../query/tokenize.ts';
import type { Sort } from '../sorts.ts';
import { type Clause, onProjects } from './filter.ts';
import { max_offset } from './mapping.ts';
import type { Names } from './names.ts';
import { isMissing, RequestFailed, type Server } from './server.ts';
import { matching, scored } from './text-query.ts';

type Body = API.Search_RequestBody;
type Hit = Types.Core_Search.Hit;

/** A page of search results, without what the engine adds. */
export type Window = Pick<SearchResult, 'ids' | 'versionIds' | 'total' | 'left_out'>;
export const nothing: Window = { ids: [], versionIds: [], total: 0 };

/** Runs a search on the server; gives its answer. */
export async function searchServer(
  server: Server,
  { projects }: Names,
  body: Body,
): Promise<API.Search_ResponseBody> {
  const { timeout_ms } = server;
  const request = {
    index: projects,
    body: { track_total_hits: true, _source: false, ...body },
    // partial results would be wrong
    allow_partial_search_results: false,
    cancel_after_time_interval: `${timeout_ms}ms`,
  };
  const once = () => server.request((client) => client.search(request, { requestTimeout: timeout_ms }));
  const answer = await once().catch((error) => {
    // a rebuild replaced the index during the search
    if (isMissing(error)) return once();
    throw error;
  });
  return answer.body;
}

async function search(server: Server, names: Names, body: Body): Promise<{ hits: Hit[]; total: number }> {
  const { hits, total } = (await searchServer(server, names, body)).hits;
  return { hits, total: typeof total === 'number' ? total : (total?.value ?? 0) };
}

const columns: Record<Sort, string> = {
  relevance: 'downloads',
  downloads: 'downloads',
  follows: 'follows',
  newest: 'created_timestamp',
  updated: 'modified_timestamp',
};
const ties = [{ newest_version: 'desc' }, { project_id: 'asc' }] as const;

/** The version shown with a hit: the newest matching row, or the newest of all without conditions on rows. */
function versionOf(hit: Hit): string | null {
  const inner = hit.inner_hits?.rows?.hits.hits[0];
  const version = inner ? inner.sort?.[1] : hit.fields?.latest?.[0];
  return version == null ? null : String(version);
}

const hitFields = ['latest', 'title_key'];

function filterOf({ filter, only }: Query): Clause[] {
  return [...onProjects(filter), ...(only ? [{ terms: { project_id: [...only] } }] : [])];
}

/** A page in the order of a column, ties by newest version, then id. */
async function byColumn(server: Server, names: Names, query: Query, match: Clause[]): Promise<Window> {
  const far = query.offset > max_offset;
  const { hits, total } = await search(server, names, {
    query: { bool: { filter: [...match, ...filterOf(query)] } },
    sort: [{ [columns[query.sort]]: 'desc' }, ...ties],
    docvalue_fields: hitFields,
    from: far ? 0 : query.offset,
    size: far ? 0 : query.limit,
  });
  return { ids: hits.map(({ _id }) => _id as string), versionIds: hits.map(versionOf), total };
}

/** A page in the order of ranking stages 1 and 2. Source: search §3. */
async function byText(
  server: Server,
  names: Names,
  query: Query,
  reading: RelaxedQuery,
  match: Clause,
): Promise<Window> {
  const { offset, limit } = query;
  const keys = titleForms(query.text).map(spaceless);
  const far = offset > max_offset;
  // reranking affects the first ones only
  const from = offset < rerank_window || far ? 0 : offset;
  const size = far ? 0 : from > 0 ? limit : Math.max(rerank_window, offset + limit);
  const { hits, total } = await search(server, names, {
    query: scored(reading, match, query.text, filterOf(query)),
    sort: [{ _score: { order: 'desc' } }, ...ties],
    docvalue_fields: hitFields,
    from,
    size,
  });
  const best = hits.map((hit) => ({
    id: hit._id as string,
    version: versionOf(hit),
    title_key: String(hit.fields?.title_key?.[0] ?? ''),
    score: Number(hit.sort?.[0]),
  }));
  const window = from > 0 ? best : reranked(best, keys).slice(offset, offset + limit);
  return { ids: window.map(({ id }) => id), versionIds: window.map(({ version }) => version), total };
}

/** Runs a search: the query relaxation with the most matches, or everything without text. */
export async function windowOf(server: Server, names: Names, query: Query): Promise<Window> {
  if (query.text.trim() === '') return await byColumn(server, names, query, []);
  const ladder = relaxations(query.text);
  const requested = new Map<string, Window>();
  let best = nothing;
  for (let step = ladder.next(); !step.done; ) {
    const match = matching(step.value);
    const same = JSON.stringify(match);
    const found =
      requested.get(same) ??
      (query.sort === 'relevance'
        ? await byText(server, names, query, step.value, match)
        : await byColumn(server, names, query, [match]));
    requested.set(same, found);
    if (found.total > best.total) best = { ...found, ...leftOut(query.text, step.value) };
    step = ladder.next(found.total);
  }
  return best;
}

/** The stored hits of `ids` with current counters; missing ones are left out. */
export async function storedOf(
  server: Server,
  { projects }: Names,
  ids: string[],
): Promise<Map<string, StoredDocument>> {
  if (ids.length === 0) return new Map();
  const { body } = await server.request((client) =>
    client.mget(
      { index: projects, body: { ids }, _source_includes: ['kept', 'downloads', 'follows'] },
      { requestTimeout: server.timeout_ms },
    ),
  );
  return new Map(
    body.docs.flatMap((doc) => {
      if ('error' in doc) throw new RequestFailed(404, String(doc.error.type), String(doc.error.reason));
      const source = '_source' in doc ? doc._source : undefined;
      if (!source) return [];
      const { kept, downloads, follows } = source as {
        kept: StoredDocument;
        downloads: number;
        follows: number;
      };
      return [[String(doc._id), { ...kept, downloads, follows }] as const];
    }),
  );
}
