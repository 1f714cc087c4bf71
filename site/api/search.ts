import { z } from 'zod';
import { followedIds } from '#db/catalogue/follows/read.ts';
import type { Query, SearchResult } from '#db/discovery/search/engine.ts';
import { limits } from '#db/discovery/search/query/limits.ts';
import { parseFilter } from '#db/discovery/search/query/query-language.ts';
import type { Sort } from '#db/discovery/search/sorts.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import type { AppServices } from '../platform/context.ts';

/**
 * The search parameters, in the address or, in v3, in a JSON body of strings. Unknown keys are ignored. Source: search
 * §2.
 */
export const searchShape = z.object({
  query: z.string().optional(),
  facets: z.string().optional(),
  filters: z.string().optional(),
  version: z.string().optional(),
  new_filters: z.string().optional(),
  index: z.string().optional(),
  limit: z.string().optional(),
  offset: z.string().optional(),
  followed: z.string().optional(),
});
export type SearchTexts = z.output<typeof searchShape>;

const sortOf = new Map<string, Sort>([
  ['relevance', 'relevance'],
  ['downloads', 'downloads'],
  ['follows', 'follows'],
  ['newest', 'newest'],
  ['date_created', 'newest'],
  ['updated', 'updated'],
  ['date_modified', 'updated'],
  // no server listing exists yet, so all have the same value: ties are ordered by downloads
  ['minecraft_java_server.verified_plays_2w', 'downloads'],
  ['minecraft_java_server.ping.data.players_online', 'downloads'],
]);

const max_followed = 10_000;

/** A whole number of at least 0; absent or empty gives `fallback`. Refuses `invalid_input` (400) for anything else. */
function count(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback;
  if (text.length > 400 || !/^\d+$/.test(text))
    throw new Refused('invalid_input', { problem: `${name}: must be a whole number, 0 or more` });
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** The engine's query for the texts of a request. Refuses `invalid_input` (400). Source: search §2, §5. */
function queryOf(texts: SearchTexts, api: 2 | 3): Omit<Query, 'only'> {
  const text = texts.query ?? '';
  if (text.length > limits.query_characters)
    throw new Refused('invalid_input', {
      problem: `query: longer than ${limits.query_characters} characters`,
    });
  const sort = sortOf.get(texts.index || 'relevance');
  if (!sort) throw new Refused('invalid_input', { problem: 'invalid index' });
  return {
    text,
    filter: parseFilter(texts, api),
    sort,
    offset: count('offset', texts.offset, 0),
    limit: Math.min(100, Math.max(1, count('limit', texts.limit, 10))),
  };
}

async function followedBy(db: Db, actor: Actor | null): Promise<Set<string>> {
  if (!actor) throw new Refused('authentication_required');
  return new Set(await followedIds(db, actor.user_id, max_followed));
}

/**
 * Runs the search of a request. `followed=true` searches only the projects that the actor follows, refuses
 * `authentication_required` (401) without one, and its answer is personal (`private`).
 */
export async function searched(
  { sql, search, settings }: AppServices,
  texts: SearchTexts,
  actor: Actor | null,
  api: 2 | 3,
): Promise<{ query: Query; found: SearchResult; hits: Array<Record<string, unknown>>; private: boolean }> {
  const own = texts.followed === 'true';
  const query: Query = queryOf(texts, api);
  if (own) query.only = await followedBy(sql, actor);
  const found = await search.search(query);
  return { query, found, hits: await search.hits(found, api, settings), private: own };
}

/** The answer as JSON; a personal one is not cached. */
export const searchResponse = (body: unknown, isPrivate: boolean): Response =>
  Response.json(body, isPrivate ? { headers: { 'cache-control': 'private, no-store' } } : {});
