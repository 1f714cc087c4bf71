import type { APIRoute } from 'astro';
import { sourcePath } from '../platform/paths/source.ts';

/** Leads to the source code of what runs here, as the license asks. */
export const GET: APIRoute = ({ locals }) =>
  new Response(null, { status: 302, headers: { location: sourcePath(locals.services.settings) } });
