import type { API, Types } from '@opensearch-project/opensearch';
import type { Found, Query } from '../engine.ts';
import type { Kept } from '../hits.ts';
import { type Reading, readings } from '../ladder.ts';
import { looked, secondLook } from '../ranking.ts';
import type { Sort } from '../sorts.ts';
import { spaceless } from '../tokenize.ts';
import { type Clause, onProjects } from './filter.ts';
import { furthest } from './mapping.ts';
import type { Names } from './names.ts';
import { isMissing, type Server, Unanswered } from './server.ts';
import { matching, scored } from './words.ts';

type Body = API.Search_RequestBody;
type Hit = Types.Core_Search.Hit;

/** A window of a search, without what the engine adds. */
export type Window = Pick<Found, 'ids' | 'versionIds' | 'total'>;
export const nothing: Window = { ids: [], versionIds: [], total: 0 };

async function ask(server: Server, { projects }: Names, body: Body): Promise<{ hits: Hit[]; total: number }> {
  const { timeout_ms } = server;
  const request = {
    index: projects,
    body: { track_total_hits: true, _source: false, ...body },
    // half an answer would be a wrong one
    allow_partial_search_results: false,
    cancel_after_time_interval: `${timeout_ms}ms`,
  };
  const once = () => server.ask((client) => client.search(request, { requestTimeout: timeout_ms }));
  const answer = await once().catch((error) => {
    // a rebuild put another index in the place of the one that was about to be searched
    if (isMissing(error)) return once();
    throw error;
  });
  const { hits, total } = answer.body.hits;
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

/** The version a hit is shown with: the newest matching row, or the newest of all when nothing was asked of rows. */
function versionOf(hit: Hit): string | null {
  const inner = hit.inner_hits?.rows?.hits.hits[0];
  const version = inner ? inner.sort?.[1] : hit.fields?.latest?.[0];
  return version == null ? null : String(version);
}

const shownFields = ['latest', 'title_key'];

function filterOf({ filter, only }: Query): Clause[] {
  return [...onProjects(filter), ...(only ? [{ terms: { project_id: [...only] } }] : [])];
}

/** A window in the order of a column, ties by newest version, then id. */
async function byColumn(server: Server, names: Names, query: Query, match: Clause[]): Promise<Window> {
  const far = query.offset > furthest;
  const { hits, total } = await ask(server, names, {
    query: { bool: { filter: [...match, ...filterOf(query)] } },
    sort: [{ [columns[query.sort]]: 'desc' }, ...ties],
    docvalue_fields: shownFields,
    from: far ? 0 : query.offset,
    size: far ? 0 : query.limit,
  });
  return { ids: hits.map(({ _id }) => _id as string), versionIds: hits.map(versionOf), total };
}

/** A window in the order of stages 1 and 2 of the ranking. Source: search §3. */
async function byWords(
  server: Server,
  names: Names,
  query: Query,
  reading: Reading,
  match: Clause,
): Promise<Window> {
  const { offset, limit } = query;
  const key = spaceless(query.text);
  const far = offset > furthest;
  // the second look changes the order of the first ones only
  const from = offset < secondLook || far ? 0 : offset;
  const size = far ? 0 : from > 0 ? limit : Math.max(secondLook, offset + limit);
  const { hits, total } = await ask(server, names, {
    query: scored(reading, match, key, filterOf(query)),
    sort: [{ _score: { order: 'desc' } }, ...ties],
    docvalue_fields: shownFields,
    from,
    size,
  });
  const best = hits.map((hit) => ({
    id: hit._id as string,
    version: versionOf(hit),
    title_key: String(hit.fields?.title_key?.[0] ?? ''),
    score: Number(hit.sort?.[0]),
  }));
  const window = from > 0 ? best : looked(best, key).slice(offset, offset + limit);
  return { ids: window.map(({ id }) => id), versionIds: window.map(({ version }) => version), total };
}

/** What a search finds: the reading of its text that finds most, or everything when it has none. */
export async function windowOf(server: Server, names: Names, query: Query): Promise<Window> {
  if (query.text.trim() === '') return await byColumn(server, names, query, []);
  const ladder = readings(query.text);
  const asked = new Map<string, Window>();
  let best = nothing;
  for (let step = ladder.next(); !step.done; ) {
    const match = matching(step.value);
    const same = JSON.stringify(match);
    const found =
      asked.get(same) ??
      (query.sort === 'relevance'
        ? await byWords(server, names, query, step.value, match)
        : await byColumn(server, names, query, [match]));
    asked.set(same, found);
    if (found.total > best.total) best = found;
    step = ladder.next(found.total);
  }
  return best;
}

/** The stored hits of `ids` with the counters they have now; those that are gone are left out. */
export async function keptOf(server: Server, { projects }: Names, ids: string[]): Promise<Map<string, Kept>> {
  if (ids.length === 0) return new Map();
  const { body } = await server.ask((client) =>
    client.mget(
      { index: projects, body: { ids }, _source_includes: ['kept', 'downloads', 'follows'] },
      { requestTimeout: server.timeout_ms },
    ),
  );
  return new Map(
    body.docs.flatMap((doc) => {
      if ('error' in doc) throw new Unanswered(404, String(doc.error.type), String(doc.error.reason));
      const source = '_source' in doc ? doc._source : undefined;
      if (!source) return [];
      const { kept, downloads, follows } = source as { kept: Kept; downloads: number; follows: number };
      return [[String(doc._id), { ...kept, downloads, follows }] as const];
    }),
  );
}
