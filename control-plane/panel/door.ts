import type { Socket } from 'socket.io';
import type { z } from 'zod';
import type { BillingContext } from '#db/billing/checkout.ts';
import { Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';
import { actorNow, addressOf, knockOf, tokenOf } from '../callers.ts';
import type { Hub } from '../hub.ts';
import { Bucket, limits, type Tally } from '../limits.ts';
import { type Listening, listen, notOk } from '../listen.ts';
import { fromBrowser } from '../protocol.ts';
import * as messages from './messages.ts';
import type { Viewer } from './panels.ts';

type Asked = keyof typeof fromBrowser;
type Kind = 'commands' | 'joins' | 'calls';

/** Lets people in by cookie or token: each socket's caller is asked again at every message. Source: hosting §5.2. */
export function guard(hub: Hub, namespace: ReturnType<Hub['io']['of']>, tally: Tally): void {
  const { record, log } = hub;
  namespace.use((socket, next) => {
    const { handshake } = socket;
    const locale = localeOf(handshake.auth);
    const refuse = (error: unknown) => {
      const data = notOk(error, locale, log, 'hello');
      next(Object.assign(new Error(data.description), { data }));
    };
    const knock = knockOf(socket);
    (async () => {
      hub.knock(knock);
      const token = tokenOf(knock, record.settings.SITE_URL);
      const actor = await actorNow(record.sql, token, record.now());
      socket.data.caller = { token, locale, actor, address: addressOf(knock) };
    })().then(() => {
      if (enter(socket, tally)) next();
      else refuse(new Refused('connections_too_many'));
    }, refuse);
  });
}

function enter(socket: Socket, tally: Tally): boolean {
  const { actor, address } = socket.data.caller as { actor: Actor; address: string };
  const [user, place] = [`user:${actor.user_id}`, `address:${address}`];
  if (!tally.enter(user, limits.sockets_per_user)) return false;
  if (!tally.enter(place, limits.sockets_per_address)) {
    tally.leave(user);
    return false;
  }
  // the connection may end before the socket is in: its end counts once either way
  socket.conn.once('close', () => leave());
  socket.once('disconnect', () => leave());
  let left = false;
  const leave = () => {
    if (left) return;
    left = true;
    tally.leave(user);
    tally.leave(place);
  };
  return true;
}

const localeOf = (auth: Record<string, unknown>): string =>
  typeof auth.locale === 'string' ? auth.locale.slice(0, 35) : 'en-US';

/** How one socket's messages are let in: each kind has its own measure, and a flood ends the socket. */
export function admission(hub: Hub, socket: Socket): (kind: Kind) => Listening {
  const { locale } = socket.data.caller as { locale: string };
  const begun = performance.now();
  const buckets = {
    commands: new Bucket(limits.commands, begun),
    joins: new Bucket(limits.joins, begun),
    calls: new Bucket(limits.calls, begun),
  };
  let excess = 0;
  return (kind) => ({
    log: hub.log,
    locale,
    admit() {
      if (buckets[kind].take(performance.now())) return;
      excess += 1;
      if (excess > limits.excess) socket.disconnect(true);
      // by then one more may pass
      throw new Refused('too_fast', { retry_after_ms: Math.ceil(1000 / limits[kind]) });
    },
  });
}

/** The namespace of panels and of `cairn server`. Source: hosting §5. */
export function openPanelDoor(hub: Hub, till: BillingContext, tally: Tally): void {
  const namespace = hub.io.of('/server');
  guard(hub, namespace, tally);
  namespace.on('connection', (socket) => {
    const { token, locale, actor } = socket.data.caller as Viewer;
    const viewer: Viewer = { socket, token, locale, actor, joined: new Map() };
    hub.panels.viewers.add(viewer);
    socket.on('disconnect', () => hub.panels.leaveAll(viewer));
    answer(hub, till, viewer);
  });
}

function answer(hub: Hub, till: BillingContext, viewer: Viewer): void {
  const { socket } = viewer;
  const admit = admission(hub, socket);
  /** The rules are asked about who the caller is now, not who it was when it came. */
  const on = <E extends Asked>(
    name: E,
    kind: Exclude<Kind, 'commands'>,
    work: (actor: Actor, message: z.output<(typeof fromBrowser)[E]>) => Promise<unknown>,
  ) =>
    listen(socket, name, fromBrowser[name] as z.ZodType, admit(kind), async (message) => {
      viewer.actor = await actorNow(hub.record.sql, viewer.token, hub.record.now());
      return await work(viewer.actor, message as z.output<(typeof fromBrowser)[E]>);
    });
  on('server.join', 'joins', (_actor, message) => messages.join(hub, viewer, message));
  on('server.leave', 'calls', async (_actor, { server_id }) => hub.panels.leave(viewer, server_id));
  on('server.power', 'calls', (actor, message) => messages.power(hub, actor, message));
  listen(socket, 'server.command', fromBrowser['server.command'], admit('commands'), (message) =>
    messages.command(hub, viewer, message),
  );
  on('server.rename', 'calls', (actor, message) => messages.changeName(hub, actor, message));
  on('server.delete', 'calls', (actor, message) => messages.takeAway(hub, actor, message));
  on('server.history', 'calls', (actor, message) => messages.history(hub, actor, message));
  on('server.list', 'calls', (actor) => messages.list(hub, actor));
  on('server.show', 'calls', (actor, message) => messages.show(hub, actor, message));
  on('server.create', 'calls', (_actor, message) => messages.create(hub, till, viewer, message));
  on('notice.dismiss', 'calls', (actor, message) => messages.dismiss(hub, actor, message));
}
