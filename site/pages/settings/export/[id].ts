import { Readable } from 'node:stream';
import type { APIRoute } from 'astro';
import { openExport } from '#db/accounts/data-export/write.ts';
import { whyNotProved } from '#db/platform/people/rules.ts';
import { requireActor } from '../../../platform/http/require-actor.ts';
import { confirmPath } from '../../../platform/paths/confirm-path.ts';

/** The file of an export, for its owner only, who proved lately who they are. */
export const GET: APIRoute = async (page) => {
  const { locals, params, url } = page;
  const actor = await requireActor(page);
  if (whyNotProved(actor, locals.services.now()))
    return new Response(null, { status: 302, headers: { location: confirmPath(locals.link(url.pathname)) } });
  const { size, created, body } = await openExport(
    locals.services,
    actor,
    params.id ?? '',
    locals.services.now(),
  );
  return new Response(Readable.toWeb(body as Readable) as ReadableStream, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(size),
      'content-disposition': `attachment; filename="cairn-${created.slice(0, 10)}.json"`,
      'cache-control': 'private, no-store',
    },
  });
};
