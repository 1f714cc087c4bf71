import { once } from 'node:events';
import type { z } from 'zod';
import { availableCapacity } from '#db/billing/capacity.ts';
import { type BillingContext, checkout } from '#db/billing/checkout.ts';
import { deleteServerFor } from '#db/billing/delete-server.ts';
import { paidOrder } from '#db/billing/read.ts';
import { isPlan, ramGbOf, regions } from '#db/billing/rules.ts';
import { allow, Refused } from '#db/errors.ts';
import { leaseOf } from '#db/nodes/read.ts';
import { noticesFor } from '#db/notices/read.ts';
import { dismissNotice } from '#db/notices/write.ts';
import type { Actor } from '#db/people/rules.ts';
import { isKind, kindOffers } from '#db/servers/kinds/rules.ts';
import { serverFor, serversOf, serverView } from '#db/servers/read.ts';
import { whyNotChange, whyNotCommand, whyNotCommandText } from '#db/servers/rules.ts';
import { sizeOf } from '#db/servers/sizes.ts';
import { openServer, rename, wantPower } from '#db/servers/write.ts';
import type { AgentLink } from '../agents/link.ts';
import { actorNow, addressOf, knockOf } from '../callers.ts';
import { tail_lines } from '../console/watched.ts';
import type { Hub } from '../hub.ts';
import { limits } from '../limits.ts';
import type { fromBrowser, Room } from '../protocol.ts';
import { suspendedRooms, type Viewer } from './panels.ts';

type In<E extends keyof typeof fromBrowser> = z.output<(typeof fromBrowser)[E]>;

/** Joins the rooms of a server and leaves those not named: state, console and notices come with the answer. */
export async function join(hub: Hub, viewer: Viewer, message: In<'server.join'>) {
  const { server_id } = message;
  if (!viewer.joined.has(server_id) && viewer.joined.size >= limits.joined_servers)
    throw new Refused('limit_reached', { limit: limits.joined_servers });
  const { sql, now } = hub.record;
  let server = await serverFor(sql, viewer.actor, server_id, now());
  const notices = await noticesFor(
    sql,
    viewer.actor.user_id,
    [{ id: server_id, node_id: server.node_id }],
    now(),
  );
  hub.panels.leave(viewer, server_id);
  // in the rooms first, so that whatever changes from here on is heard; then looked at once more
  const wanted = message.rooms.filter((room) => room !== 'console' && room !== 'stats');
  hub.panels.enter(viewer, server_id, server, wanted);
  try {
    server = await serverFor(sql, viewer.actor, server_id, now());
  } catch (error) {
    hub.panels.leave(viewer, server_id);
    throw error;
  }
  if (!viewer.joined.has(server_id)) throw new Refused('server_not_found');
  const suspended = server.view.lifecycle === 'suspended';
  const rooms: readonly Room[] = message.rooms.filter((room) => !suspended || suspendedRooms.includes(room));
  hub.panels.leave(viewer, server_id);
  hub.panels.enter(viewer, server_id, server, rooms);
  const at = { id: server_id, node_id: server.node_id };
  if (rooms.includes('stats')) hub.consoles.enterStats(viewer.socket, at);
  // last, with nothing waited for after it: the next live line must not come before what is shown first
  const console = rooms.includes('console')
    ? await hub.consoles.enter(viewer.socket, at, message.console)
    : null;
  if (!viewer.joined.has(server_id)) throw new Refused('server_not_found');
  return { server: server.view, console, notices: notices.get(server_id) ?? [] };
}

export async function power(hub: Hub, actor: Actor, message: In<'server.power'>) {
  const { sql, now } = hub.record;
  await sql.begin((tx) => wantPower(tx, actor, message, now()));
  return { server: await serverView(sql, actor, message.server_id, now()) };
}

/**
 * Types a line into the console, once at most. Who looks at it is known, and hears within a second of a right that is
 * gone: then the record is not asked, which would take longer than the rest of the way. Source: hosting §5.3.
 */
export async function command(
  hub: Hub,
  viewer: Viewer,
  { server_id, text }: In<'server.command'>,
): Promise<void> {
  allow(whyNotCommandText(text));
  const { node_id } = known(hub, viewer, server_id) ?? (await asked(hub, viewer, server_id));
  const answer = await (await reach(hub, node_id)).command(server_id, text);
  if (answer.delivered) return;
  throw new Refused(answer.why === 'not_running' ? 'server_not_running' : 'command_not_delivered');
}

/** A server the viewer looks at, when it may type to it as far as is known; a refusal asks the record first. */
function known(hub: Hub, { actor, joined }: Viewer, server_id: string) {
  const server = hub.hears() ? joined.get(server_id) : undefined;
  if (!server || whyNotChange(actor, server.facts) || whyNotCommand(server.facts)) return null;
  return server;
}

async function asked(hub: Hub, viewer: Viewer, server_id: string) {
  const { sql, now } = hub.record;
  viewer.actor = await actorNow(sql, viewer.token, now());
  const look = () => serverFor(sql, viewer.actor, server_id, now(), whyNotChange);
  let server = await look();
  if (server.facts.power === 'unknown') {
    await reach(hub, server.node_id);
    server = await look();
  }
  allow(whyNotCommand(server.facts));
  return server;
}

/** A node heard so lately has an agent somewhere. */
const elsewhere_ms = 10_000;
/** An agent whose line broke dials again: so long a person waits for it. */
const back_ms = 2_000;

/** The agent of a node here, as soon as it is back. Refuses `server_unreachable`, and `console_elsewhere` while another control plane holds it. */
async function reach({ links, record, id, arrivals }: Hub, node_id: string | null): Promise<AgentLink> {
  const there = () => {
    const link = node_id ? links.get(node_id) : undefined;
    return link?.reconciled ? link : null;
  };
  const held = node_id && !there() ? await leaseOf(record.sql, node_id) : null;
  const heard_ms = held?.last_seen ? record.now().getTime() - Date.parse(held.last_seen) : Infinity;
  const somewhere = heard_ms < elsewhere_ms;
  if (somewhere && !there())
    await once(arrivals, node_id!, { signal: AbortSignal.timeout(back_ms) }).catch(() => {});
  const link = there();
  if (link) return link;
  const elsewhere = somewhere && held?.holder && held.holder !== id;
  throw new Refused(elsewhere ? 'console_elsewhere' : 'server_unreachable');
}

export async function changeName(hub: Hub, actor: Actor, message: In<'server.rename'>) {
  const { sql, now } = hub.record;
  await sql.begin((tx) => rename(tx, actor, message, now()));
  return { server: await serverView(sql, actor, message.server_id, now()) };
}

export async function takeAway(hub: Hub, actor: Actor, { server_id }: In<'server.delete'>): Promise<void> {
  const { sql, now } = hub.record;
  await sql.begin((tx) => deleteServerFor(tx, actor, server_id, now()));
}

/** Older lines than those shown, asked of the agent. */
export async function history(hub: Hub, actor: Actor, { server_id, before, limit }: In<'server.history'>) {
  const { sql, now } = hub.record;
  const { node_id, facts } = await serverFor(sql, actor, server_id, now());
  if (facts.lifecycle === 'suspended') throw new Refused('server_suspended');
  const told = node_id
    ? await (await reach(hub, node_id)).tail(server_id, before, Math.min(limit, tail_lines))
    : { epoch: null, lines: [] };
  if (!told) throw new Refused('server_unreachable');
  const from = told.lines[0]?.seq ?? before ?? 1;
  return { console: { server_id, epoch: told.epoch ?? '', from, gap: 0, lines: told.lines } };
}

export const list = async (hub: Hub, actor: Actor) => ({
  servers: await serversOf(hub.record.sql, actor, hub.record.now()),
});

export const show = async (hub: Hub, actor: Actor, { server_id }: In<'server.show'>) => ({
  server: await serverView(hub.record.sql, actor, server_id, hub.record.now()),
});

/**
 * Orders a server as the site does; `op_id` twice is one order. Its row is there with the answer, its place comes by the
 * job `open_server`. Without a region it goes where most room is.
 */
export async function create(hub: Hub, till: BillingContext, viewer: Viewer, message: In<'server.create'>) {
  const { sql, now, settings } = hub.record;
  const { region, ram_gb, ...named } = message;
  const wish = {
    ...named,
    ram_gb,
    loader: null,
    game_version: message.game_version ?? (isKind(message.kind) ? kindOffers[message.kind].game_version : ''),
    region: region ?? (await roomiest(hub, isPlan(named.plan) ? ramGbOf(named.plan, ram_gb) : 0)),
    ...{ interval: 'monthly', currency: 'USD' },
    address: settings.RATE_LIMIT_PER_MINUTE > 0 ? addressOf(knockOf(viewer.socket)) : null,
  };
  const { order_id, server_id } = await checkout(till, viewer.actor, wish, null, now());
  const order = await paidOrder(sql, order_id);
  if (order) await sql.begin((tx) => openServer(tx, order));
  return { id: server_id };
}

async function roomiest({ record }: Hub, gb: number): Promise<string> {
  const stock = await availableCapacity(record.sql, sizeOf(Math.max(1, gb)), record.now());
  return regions.reduce((best, region) => (stock[region] > stock[best] ? region : best));
}

export async function dismiss(hub: Hub, actor: Actor, { notice_id }: In<'notice.dismiss'>): Promise<void> {
  const { sql, now } = hub.record;
  await sql.begin((tx) => dismissNotice(tx, actor, notice_id, now()));
}
