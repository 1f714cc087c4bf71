import type { APIContext } from 'astro';
import { islandMessages } from '#content/island-messages.ts';
import { transferOrigin } from '#db/hosting/nodes/read.ts';
import { noticesFor } from '#db/hosting/notices/read.ts';
import { serverInvitations } from '#db/hosting/servers/people/read.ts';
import { findAuthorizedServer, ownerForStaff, serversFor } from '#db/hosting/servers/read.ts';
import { accessOf, type ServerFacts, scopeFor, whyNotChange } from '#db/hosting/servers/rules.ts';
import {
  ordersUnderWay,
  orderWithoutServer,
  subscriptionOf,
  subscriptionsOf,
} from '#db/money/billing/read.ts';
import { suspendedAt } from '#db/money/billing/rules.ts';
import type { SubscriptionView } from '#db/money/billing/view.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import { requireActor } from '../../platform/http/require-actor.ts';
import { day } from '../../platform/text/dates.ts';
import { price } from '../checkout/price.ts';
import { hide_cookie } from '../shared/preferences.store.ts';
import type { AddressOptions } from '../shared/use-address.ts';
import type { PaidTime } from './paid-time.ts';
import { type PanelPageId, panelTexts } from './panel-texts.ts';
import { type PanelScreenId, panelScreens, panelTitle } from './screens.ts';
import { orderTabIds, panelTabIds, panelTabs } from './tabs.ts';

/** Loads the pages of a user's servers; an anonymous visitor is redirected to sign-in and back. */

export async function loadServers(page: APIContext) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  // orders first: one whose server appears in between is in both, and the list shows its server
  const orders = await ordersUnderWay(services.sql, actor);
  const invitations = await serverInvitations(services.sql, actor);
  const addresses = addressOptions(page);
  const subscriptions = await subscriptionsOf(services.sql, actor);
  const paid = Object.fromEntries(subscriptions.map((one) => [one.server_id, paidTime(page, one)]));
  return {
    ...(await serversFor(services.sql, actor, now)),
    orders,
    invitations,
    addresses,
    paid,
    support: supportOf(page),
  };
}

/**
 * A tab of the order of a server that does not exist yet, or never will; null when there is a server, or nothing that the
 * user may see.
 */
export async function loadOrder(page: APIContext, id: string) {
  const actor = await requireActor(page);
  const order = await orderWithoutServer(page.locals.services.sql, actor, id);
  if (!order) return null;
  const facts: ServerFacts = { owner_id: actor.user_id, lifecycle: 'unprovisioned', power: 'stopped' };
  const tabs = orderTabIds.filter((one) => panelTabs[one].whyNot(actor, facts) === null);
  return {
    order,
    tabs,
    paid: paidTime(page, { ...order, state: 'active', price_minor: 0, card: null }),
    addresses: addressOptions(page),
    support: supportOf(page),
  };
}

/**
 * What the frontmatter of a page of a server's panel gives its component: the title, and the properties of the island. A redirect to the
 * overview for an order that has no server yet. Refuses as `loadServer`.
 */
export async function loadPanelPage(page: APIContext, screen: PanelPageId) {
  const id = page.params.id!;
  if (await loadOrder(page, id)) return page.redirect(page.locals.link(`/servers/manage/${id}`));
  const panel = await loadServer(page, id, screen);
  return {
    title: panelTitle(page.locals.messages, screen, panel.first.name),
    island: { ...panel, ...panelIsland(page, screen) },
  };
}

/** What every island of a panel gets beside its server: its texts, and `?hl=…` while the address has one. */
export function panelIsland({ locals, url }: APIContext, screen: PanelPageId) {
  const hl = url.searchParams.get('hl');
  return {
    messages: islandMessages(locals.messages, ...panelTexts(screen)),
    query: hl ? `?hl=${encodeURIComponent(hl)}` : '',
  };
}

/**
 * A page of one server's panel: the server, its notices, and the tabs that the user may open. Refuses as the rule of the page,
 * and `server_not_found` alike for unknown servers and those of other users. The error page of somebody who sees the server
 * and lacks a right keeps the panel's head.
 */
export async function loadServer(page: APIContext, id: string, screen: PanelScreenId) {
  const actor = await requireActor(page);
  const { services, now } = page.locals;
  const { view, facts, node_id } = await findAuthorizedServer(services.sql, actor, id, now);
  const tabs = panelTabIds.filter((one) => panelTabs[one].whyNot(actor, facts) === null);
  const refused = panelScreens[screen].whyNot(actor, facts);
  if (refused === 'server_right_missing')
    page.locals.refusedPanel = { id, name: view.name, icon: view.icon, tabs, screen };
  assertAllowed(refused, { scope: scopeFor.change });
  // tabs whose files pass between the browser and the machine itself
  if (node_id && (screen === 'files' || screen === 'backups')) {
    const origin = await transferOrigin(services.sql, node_id);
    if (origin) page.locals.transferOrigin = origin;
  }
  const notices = await noticesFor(services.sql, actor.user_id, [{ id, node_id }], now);
  const subscription = whyNotChange(actor, facts) ? null : await subscriptionOf(services.sql, actor, id);
  const paid = subscription && paidTime(page, subscription);
  const access = accessOf(actor, facts);
  const addresses = addressOptions(page);
  const owner_for_staff = await ownerForStaff(services.sql, actor, facts);
  return {
    ...{ first: view, access, notices: notices.get(id) ?? [] },
    ...{ tabs, paid, addresses, owner_for_staff },
    support: supportOf(page),
  };
}

/** As `loadServer`; null for a server that does not exist any more, or not yet. */
export const loadServerIfAny = (page: APIContext, id: string, screen: PanelScreenId) =>
  loadServer(page, id, screen).catch((error: unknown) => {
    // its billing outlives it
    if (error instanceof Refused && error.code === 'server_not_found') return null;
    throw error;
  });

/** How addresses of servers are shown: names where the operator offers them, nothing where this browser covers them. */
const addressOptions = ({ locals, cookies }: APIContext): AddressOptions => ({
  domain: locals.services.settings.SERVERS_DOMAIN ?? null,
  hidden: cookies.has(hide_cookie),
});

/** Where support is reached. */
const supportOf = ({ locals }: APIContext): string | null => locals.services.settings.SUPPORT_LINK ?? null;

type Paid = Pick<SubscriptionView, 'state' | 'term' | 'period_end' | 'price_minor' | 'currency' | 'card'>;

/** What is paid for a server: what is lost when it is deleted, and what is due. */
const paidTime = (
  { locals }: APIContext,
  { state, term, period_end, price_minor, currency, card }: Paid,
): PaidTime => ({
  ...{ state, term, until: period_end && day(locals.messages, period_end) },
  unpaid:
    state === 'failed' && period_end
      ? {
          sum: price(locals.messages, price_minor, currency),
          stops: day(locals.messages, suspendedAt(new Date(period_end)).toISOString()),
          card: card && locals.t('buying.card', { brand: card.brand, digits: card.last_four }),
        }
      : null,
  days_left: period_end
    ? Math.max(0, Math.ceil((new Date(period_end).getTime() - locals.now.getTime()) / 86_400_000))
    : null,
});
