import { z } from 'zod';
import { messages } from '#content/messages.ts';
import { projectTypes } from '#db/catalogue/tags/rules.ts';
import { limits } from '#db/discovery/search/query/limits.ts';
import { typeOfHit } from '../../discovery/search/hit.ts';
import { placePath } from '../../discovery/search/named-places.ts';
import { type FilteredList, suggestedFilters } from '../../discovery/search/suggest-filters.server.ts';
import { type CountedPlace, suggestedPlaces } from '../../discovery/search/suggest-places.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { exactNumber } from '../../platform/text/format.ts';

const max_suggestions = 8;

const projectShape = z.object({
  project_id: z.string(),
  slug: z.string(),
  title: z.string(),
  /** The type in the address of its page, before the slug. */
  project_type: z.enum(projectTypes),
  icon_url: z.string().nullable(),
  author: z.string(),
  color: z.int().nullable(),
});

const placeShape = z.object({
  /** The path of its list, with a query but without the language. */
  path: z.string(),
  name: z.string(),
  /** The name of its project type; null when the place is a whole type. */
  type_name: z.string().nullable(),
  /** How many projects it has, as the language writes it. */
  count: z.string(),
});

export const suggestionsShape = z
  .object({ places: z.array(placeShape), projects: z.array(projectShape) })
  .meta({ id: 'Suggestions' });
export type Suggestions = z.output<typeof suggestionsShape>;
type SuggestedProject = Suggestions['projects'][number];

/**
 * `GET /_internal/suggest?q=&hl=&in=`: what fits the text typed so far, at most 8 in all. First the list with the versions,
 * loaders, environments and licenses that it names as filters, then the project types and
 * categories that it names in the language `hl`, those of the type `in` before others; then projects of any type, best
 * first. None for blank text. The same for every caller, listed projects only. Refuses `invalid_input` (400) beyond
 * 2,000 characters and `busy` (503) as search does. Source: decisions §2.1.
 */
export function suggestRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/suggest',
    summary: 'Suggestions for a partly typed text: project types, categories and projects',
    tag: 'internal',
    query: z.object({
      q: z.string().max(limits.query_characters).default(''),
      hl: z.string().default('en-US'),
      in: z.string().optional(),
    }),
    answer: suggestionsShape,
    handle: async ({ services, query }) =>
      // not cached: a hidden project disappears with the next typed letter
      Response.json(await suggestionsFor(services, query), { headers: { 'cache-control': 'no-store' } }),
  });
}

async function suggestionsFor(
  services: AppServices,
  { q: text, hl, in: here }: { q: string; hl: string; in?: string | undefined },
): Promise<Suggestions> {
  if (text.trim() === '') return { places: [], projects: [] };
  const { search, settings } = services;
  const [named, filtered, found] = await Promise.all([
    suggestedPlaces(services, messages(hl), text, here),
    suggestedFilters(services, messages(hl), text, here),
    search.search({ text, filter: null, sort: 'relevance', offset: 0, limit: max_suggestions }),
  ]);
  const places = [...(filtered ? [listOf(filtered, hl)] : []), ...named.map((place) => placeOf(place, hl))];
  const { ids, versionIds } = found;
  const left = max_suggestions - places.length;
  const hits = await search.hits(
    { ids: ids.slice(0, left), versionIds: versionIds.slice(0, left) },
    2,
    settings,
  );
  return { places, projects: hits.map(projectOf) };
}

function placeOf(place: CountedPlace, hl: string): Suggestions['places'][number] {
  const { name, kind, category, count } = place;
  const texts = messages(hl);
  return {
    path: placePath(place),
    name,
    type_name: category === null ? null : texts.t(kind.many),
    count: exactNumber(texts, count),
  };
}

function listOf({ kind, path, name, count }: FilteredList, hl: string): Suggestions['places'][number] {
  const texts = messages(hl);
  return { path, name, type_name: texts.t(kind.many), count: exactNumber(texts, count) };
}

/** The suggestion for a hit of API v2. */
function projectOf(hit: Record<string, unknown>): SuggestedProject {
  const { project_id, slug, title, author, color } = hit as SuggestedProject;
  return {
    project_id,
    slug,
    title,
    project_type: typeOfHit(hit).type,
    icon_url: hit.icon_url ? String(hit.icon_url) : null,
    author,
    color,
  };
}
