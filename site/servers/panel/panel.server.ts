import type { APIContext } from 'astro';
import { noticesFor } from '#db/notices/read.ts';
import { findAuthorizedServer, serversOwnedBy } from '#db/servers/read.ts';
import { requireActor } from '../../http/require-actor.ts';
import { type PanelTabId, panelTabIds, panelTabs } from './tabs.ts';

/** Loads the pages of a user's servers; an anonymous visitor is redirected to sign-in and back. */

export async function loadServers(page: APIContext) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  return { servers: await serversOwnedBy(services.sql, actor, now) };
}

/**
 * A tab of one server: the server, its notices, and the tabs that the user may open. Refuses as the rule of the tab, and
 * `server_not_found` alike for unknown servers and those of other users.
 */
export async function loadServer(page: APIContext, id: string, tab: PanelTabId) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  const { view, facts, node_id } = await findAuthorizedServer(
    services.sql,
    actor,
    id,
    now,
    panelTabs[tab].whyNot,
  );
  const notices = await noticesFor(services.sql, actor.user_id, [{ id, node_id }], now);
  const tabs = panelTabIds.filter((one) => panelTabs[one].whyNot(actor, facts) === null);
  return { first: view, notices: notices.get(id) ?? [], tabs };
}
