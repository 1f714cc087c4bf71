import type { APIContext } from 'astro';
import { noticesFor } from '#db/notices/read.ts';
import { findAuthorizedServer, serversOwnedBy } from '#db/servers/read.ts';

/** What the screens of a person's servers load; who is not signed in is sent there and back. */

const signIn = ({ url, redirect, locals }: APIContext): Response =>
  redirect(locals.link(`/auth/sign-in?redirect=${encodeURIComponent(url.pathname + url.search)}`), 302);

export async function loadServers(page: APIContext) {
  const { services, currentActor, now } = page.locals;
  const actor = await currentActor();
  if (!actor) return signIn(page);
  return { servers: await serversOwnedBy(services.sql, actor, now) };
}

/** One server and its notices. Refuses `server_not_found` alike for unknown ones and those of others. */
export async function loadServer(page: APIContext, id: string) {
  const { services, currentActor, now } = page.locals;
  const actor = await currentActor();
  if (!actor) return signIn(page);
  const { view, node_id } = await findAuthorizedServer(services.sql, actor, id, now);
  const notices = await noticesFor(services.sql, actor.user_id, [{ id, node_id }], now);
  return { server: view, notices: notices.get(id) ?? [] };
}
