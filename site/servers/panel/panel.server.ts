import type { APIContext } from 'astro';
import { noticesFor } from '#db/notices/read.ts';
import { findAuthorizedServer, serversOwnedBy } from '#db/servers/read.ts';
import { requireActor } from '../../http/require-actor.ts';

/** Loads the pages of a user's servers; an anonymous visitor is redirected to sign-in and back. */

export async function loadServers(page: APIContext) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  return { servers: await serversOwnedBy(services.sql, actor, now) };
}

/** One server and its notices. Refuses `server_not_found` alike for unknown servers and those of other users. */
export async function loadServer(page: APIContext, id: string) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  const { view, node_id } = await findAuthorizedServer(services.sql, actor, id, now);
  const notices = await noticesFor(services.sql, actor.user_id, [{ id, node_id }], now);
  return { server: view, notices: notices.get(id) ?? [] };
}
