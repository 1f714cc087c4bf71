import { z } from 'zod';
import { limits } from '#db/search/query/limits.ts';
import { projectTypes } from '#db/tags/rules.ts';
import type { AppServices } from '../../context.ts';
import { typeOfProject } from '../../project-types.ts';
import { publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';

const max_suggestions = 8;

const suggestionShape = z
  .object({
    project_id: z.string(),
    slug: z.string(),
    title: z.string(),
    /** The type in the address of its page, before the slug. */
    project_type: z.enum(projectTypes),
    icon_url: z.string().nullable(),
    author: z.string(),
    color: z.int().nullable(),
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.output<typeof suggestionShape>;

/**
 * `GET /_internal/suggest?q=`: at most 8 projects of any type for the text typed so far, best first; none for blank
 * text. The same for every caller, listed projects only. Refuses `invalid_input` (400) beyond 2,000 characters and
 * `busy` (503) as search does. Source: decisions §2.1.
 */
export function suggestRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/suggest',
    summary: 'Project suggestions for a partly typed name',
    tag: 'internal',
    query: z.object({ q: z.string().max(limits.query_characters).default('') }),
    answer: z.array(suggestionShape),
    handle: async ({ services, query: { q } }) =>
      // not cached: a hidden project disappears with the next typed letter
      Response.json(await suggestionsFor(services, q), { headers: { 'cache-control': 'no-store' } }),
  });
}

async function suggestionsFor({ search }: AppServices, text: string): Promise<Suggestion[]> {
  if (text.trim() === '') return [];
  const found = await search.search({
    text,
    filter: null,
    sort: 'relevance',
    offset: 0,
    limit: max_suggestions,
  });
  return (await search.hits(found, 2)).map(suggestionOf);
}

/** The suggestion for a hit of API v2. Its categories contain its loaders, which determine the type. */
function suggestionOf(hit: Record<string, unknown>): Suggestion {
  const { project_id, slug, title, author, color } = hit as Suggestion;
  const { project_type, categories } = hit as { project_type: string; categories: string[] };
  return {
    project_id,
    slug,
    title,
    project_type: typeOfProject({ project_type, loaders: categories }).type,
    icon_url: hit.icon_url ? String(hit.icon_url) : null,
    author,
    color,
  };
}
