import type { APIRoute } from 'astro';
import { loadQuickSearch } from '../../home/home.server.ts';
import { quickSearchView } from '../../home/quick-search-view.ts';
import { projectTypes } from '../../project-types.ts';

/** The quick search results for the query of its address, as the view of the home page's island. */
export const GET: APIRoute = async ({ locals, url }) => {
  for (const { type } of projectTypes) locals.tag(`search:${type}`);
  const view = quickSearchView(locals, await loadQuickSearch(locals.services, url.searchParams));
  return Response.json(view, { headers: { 'x-robots-tag': 'noindex' } });
};
