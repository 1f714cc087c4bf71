import type { APIRoute } from 'astro';
import { iconOf } from '#db/hosting/servers/icon/stored.ts';
import { requireActor } from '../../../../platform/http/require-actor.ts';

/** The picture of a server, for those who may see it. */
export const GET: APIRoute = async (page) => {
  const actor = await requireActor(page);
  const { locals, params } = page;
  const png = await iconOf(locals.services.sql, actor, params.id ?? '', locals.now);
  return new Response(new Uint8Array(png), {
    headers: { 'content-type': 'image/png', 'x-content-type-options': 'nosniff' },
  });
};
