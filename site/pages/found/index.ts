import type { APIRoute } from 'astro';
import { loadQuickSearch } from '../../discovery/home/home.server.ts';
import { quickSearchView } from '../../discovery/home/quick-search-view.ts';
import { projectTypes } from '../../platform/paths/project-types.ts';

/** The quick search results for the query of its address, as the view of the home page's island. */
export const GET: APIRoute = async ({ locals, url }) => {
  for (const { type } of projectTypes) locals.tag(`search:${type}`);
  const view = quickSearchView(locals, await loadQuickSearch(locals.services, url.searchParams));
  return Response.json(view, { headers: { 'x-robots-tag': 'noindex' } });
};
