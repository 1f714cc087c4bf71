import type { APIRoute } from 'astro';
import { publicLog } from '#db/hosting/servers/logs/read.ts';

/** A shared log as it is. */
export const GET: APIRoute = async ({ locals, params }) => {
  locals.isPrivate = true;
  const { text } = await publicLog(locals.services.sql, params.id ?? '', locals.now);
  return new Response(text, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-robots-tag': 'noindex, nofollow' },
  });
};
