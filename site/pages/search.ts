import type { APIRoute } from 'astro';
import { destinationOf } from '../discovery/search/all-types.server.ts';
import { projectTypes } from '../platform/paths/project-types.ts';

/** The search over all types: leads to the search page of the type that fits its query best. */
export const GET: APIRoute = async ({ locals, url }) => {
  for (const { type } of projectTypes) locals.tag(`search:${type}`);
  const path = await destinationOf(locals.services, locals.messages, url.searchParams);
  return new Response(null, { status: 302, headers: { location: locals.link(path) } });
};
