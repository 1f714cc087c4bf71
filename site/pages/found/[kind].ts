import type { APIRoute } from 'astro';
import { Refused } from '#db/platform/errors.ts';
import { buildView } from '../../discovery/search/build-view.ts';
import { loadSearch } from '../../discovery/search/search.server.ts';
import { typeAtPath } from '../../platform/paths/project-types.ts';

/** The search results for the query of its address, as the view of the search page's island. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const kind = typeAtPath(`/${params.kind}`);
  if (!kind) throw new Refused('not_found');
  locals.tag(`search:${kind.type}`);
  const found = await loadSearch(locals, kind, url.searchParams);
  const view = buildView(locals, found, url.searchParams.get('hl'));
  return Response.json(view, { headers: { 'x-robots-tag': 'noindex' } });
};
