import { type ProjectTeaser, randomTeasers } from '#db/catalogue/projects/random.ts';
import { trendingProjects } from '#db/discovery/analytics/trends.ts';
import { type Sort, sorts } from '#db/discovery/search/sorts.ts';
import { type SiteTotals, siteTotals } from '#db/discovery/statistics/read.ts';
import { newId } from '#db/platform/id.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { memoizeFor } from '#db/platform/runtime/memoize.ts';
import type { AppServices } from '../../platform/context.ts';
import { all_tagged } from '../../platform/http/page-cache/ttl.ts';
import { type ListState, parseList } from '../../platform/lists/list-query.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';
import { type Hit, slim } from '../search/hit.ts';
import { top } from '../search/search.server.ts';
import { countsOf } from '../search/type-counts.server.ts';

/** Number of results of the quick search on the home page. Source: specification §9 (Home sample limit). */
const samples = 3;
const per_column = 5;
/** So many are looked at, so that one author who publishes much does not fill a column. */
const candidates = 60;
const per_author = 2;
/** Random projects in each strip. */
const teasers_per_strip = 40;
/** The same random projects for ten minutes, so that the page does not change with each visit. */
const same_ms = 600_000;
const totals_ms = 60_000;

/** The results of the quick search. */
export interface Sample {
  state: ListState<Sort>;
  hits: Hit[];
  total: number;
}

export interface Home {
  total: number;
  counts: ReadonlyMap<string, number>;
  popular: Hit[];
  fresh: Hit[];
  newest: Hit[];
  sample: Sample;
  /** Null when they cannot be loaded. */
  strips: ProjectTeaser[] | null;
  totals: SiteTotals;
}

/** The data of the home page. Cached for a second, since it lists the latest changes. */
export async function loadHome({ services, tag, t }: App.Locals): Promise<Home> {
  for (const { type } of projectTypes) tag(`search:${type}`);
  tag('counts');
  const [counts, popular, fresh, newest, sample, strips, totals] = await Promise.all([
    countsOf(services),
    popularOf(services),
    top(services, 'updated', candidates),
    top(services, 'newest', candidates),
    presetOf(services, t('home.live_query')),
    loadTeasers(services),
    cachedTotals(services.sql),
  ]);
  const recent = varied(newest.hits, []);
  const changed = varied(fresh.hits, recent);
  for (const { project_id } of [...popular, ...recent, ...changed, ...sample.hits])
    tag(`project:${project_id}`);
  for (const { id } of strips ?? []) tag(`project:${id}`);
  tag(all_tagged);
  return {
    ...{ counts, sample, strips, totals },
    total: fresh.total,
    ...{ popular, fresh: changed, newest: recent },
  };
}

/**
 * The first projects of a column: at most two of one author, and none that another column shows. Where all there are do not
 * fill it by that rule, as on a small site, the others follow.
 */
export function varied<H extends Pick<Hit, 'project_id' | 'author' | 'organization_id'>>(
  hits: readonly H[],
  beside: readonly H[],
): H[] {
  const elsewhere = new Set(beside.map(({ project_id }) => project_id));
  const own = hits.filter(({ project_id }) => !elsewhere.has(project_id));
  const seen = new Map<string, number>();
  const chosen = own.filter(({ author, organization_id }) => {
    const by = organization_id ?? author;
    seen.set(by, (seen.get(by) ?? 0) + 1);
    return seen.get(by)! <= per_author;
  });
  const rest = hits.length < candidates ? hits.filter((hit) => !chosen.includes(hit)) : [];
  return [...chosen, ...rest].slice(0, per_column);
}

/** The projects that are downloaded most these days; the order is that of a minute ago at most. */
async function popularOf({ sql, search, settings }: AppServices): Promise<Hit[]> {
  const ids = await trending(sql);
  return (await search.hits({ ids, versionIds: ids.map(() => null) }, 2, settings)).map(slim);
}
const trending = memoizeFor(totals_ms, async (db: Db) => await trendingProjects(db, per_column, new Date()));

/** The quick search for the query of an address: at most three results. */
export async function loadQuickSearch(
  { search, settings }: AppServices,
  query: URLSearchParams,
): Promise<Sample> {
  const state = parseList(query, sorts);
  const { text, sort } = state;
  const found = await search.search({ text, filter: null, sort, offset: 0, limit: samples });
  return { state, hits: (await search.hits(found, 2, settings)).map(slim), total: found.total };
}

/** Before the visitor types: a word with results, else any projects. */
async function presetOf(services: AppServices, word: string): Promise<Sample> {
  const preset = await loadQuickSearch(services, new URLSearchParams({ q: word }));
  return preset.total > 0 ? preset : loadQuickSearch(services, new URLSearchParams());
}

const cachedTotals = memoizeFor(totals_ms, siteTotals);
const startOf = memoizeFor(same_ms, async (_: Db) => newId());

/** Random projects; null when they cannot be loaded, so that the page can say so. */
export async function loadTeasers(context: ReadContext): Promise<ProjectTeaser[] | null> {
  return await startOf(context.sql)
    .then((from) => randomTeasers(context, teasers_per_strip, from))
    .catch(() => null);
}
