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
    /** The kind its page is shown as; with the slug it is the page's address. */
    project_type: z.enum(projectTypes),
    icon_url: z.string().nullable(),
    author: z.string(),
    color: z.int().nullable(),
  })
  .meta({ id: 'Suggestion' });
export type Suggestion = z.output<typeof suggestionShape>;

/**
 * `GET /_internal/suggest?q=`: at most 8 projects of any kind for what is typed so far, best first; none for blank text.
 * Everyone gets the same, only what search may show. Refuses `invalid_input` (400) beyond 2,000 characters and `busy`
 * (503) as search does. Source: decisions §2.1.
 */
export function suggestRoutes(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/suggest',
    summary: 'Projects whose names one may be typing',
    tag: 'internal',
    query: z.object({ q: z.string().max(limits.query_characters).default('') }),
    answer: z.array(suggestionShape),
    handle: async ({ services, query: { q } }) =>
      // kept nowhere: a project that was hidden is gone with the next letter typed
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

/** What is shown of a hit of API v2. Its categories hold its loaders, and those tell the kind. */
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
