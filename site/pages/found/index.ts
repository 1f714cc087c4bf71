import type { APIRoute } from 'astro';
import { sampleAt } from '../../home/home.server.ts';
import { sampleView } from '../../home/sample-view.ts';
import { kinds } from '../../project/types.ts';

/** What the small search of the home page shows for the query of its address, as its island draws it. */
export const GET: APIRoute = async ({ locals, url }) => {
  for (const { type } of kinds) locals.shows(`search:${type}`);
  const view = sampleView(locals, await sampleAt(locals.services, url.searchParams));
  return Response.json(view, { headers: { 'x-robots-tag': 'noindex' } });
};
