import type { APIRoute } from 'astro';
import { Refused } from '#db/errors.ts';
import { typeAtPath } from '../../project-types.ts';
import { buildView } from '../../search/build-view.ts';
import { loadSearch } from '../../search/search.server.ts';

/** The search results for the query of its address, as the view of the search page's island. */
export const GET: APIRoute = async ({ locals, params, url }) => {
  const kind = typeAtPath(`/${params.kind}`);
  if (!kind) throw new Refused('not_found');
  locals.tag(`search:${kind.type}`);
  const found = await loadSearch(locals, kind, url.searchParams);
  const view = buildView(locals, found, url.searchParams.get('hl'));
  return Response.json(view, { headers: { 'x-robots-tag': 'noindex' } });
};
