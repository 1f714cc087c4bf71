import type { Actor } from '#db/platform/people/rules.ts';
import { for_strangers } from './page-cache/entry.ts';

/**
 * Who looks at a page that is another one for those who are signed in; null for a visitor, for whom the page is kept: it is the
 * same for all of them. Nothing else of such a page may depend on who asks.
 */
export async function viewerOf({
  locals,
  response,
}: {
  locals: Pick<App.Locals, 'currentActor' | 'isPrivate'>;
  response: { headers: Headers };
}): Promise<Actor | null> {
  const actor = await locals.currentActor();
  if (actor === null) {
    locals.isPrivate = false;
    response.headers.set('cache-control', for_strangers);
  }
  return actor;
}
