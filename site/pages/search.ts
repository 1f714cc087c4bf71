import type { APIRoute } from 'astro';
import { projectTypes } from '../project-types.ts';
import { destinationOf } from '../search/all-types.server.ts';

/** The search over all types: leads to the search page of the type that fits its query best. */
export const GET: APIRoute = async ({ locals, url }) => {
  for (const { type } of projectTypes) locals.tag(`search:${type}`);
  const path = await destinationOf(locals.services, locals.messages, url.searchParams);
  return new Response(null, { status: 302, headers: { location: locals.link(path) } });
};
