import { defaultVersion, isKind } from '#db/hosting/server-kinds/rules.ts';
import { findAuthorizedServer, serversFor } from '#db/hosting/servers/read.ts';
import { sizeOf } from '#db/hosting/servers/sizes.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { createServer } from '#db/hosting/servers/write.ts';
import { availableCapacity } from '#db/money/billing/capacity.ts';
import { checkout } from '#db/money/billing/checkout.ts';
import { paidOrder } from '#db/money/billing/read.ts';
import { isPlan, ramGbOf, regions } from '#db/money/billing/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import { type Actor, credentialOf } from '#db/platform/people/rules.ts';
import type { Pool, Transaction } from '#db/platform/postgres/sql.ts';
import { onBehalfOf } from '#db/platform/runtime/requester.ts';
import { tail_lines } from '../agent-links/connection.ts';
import { askAgent } from '../agents/connection-of.ts';
import type { PlaneContext } from '../context.ts';
import { type OperationMessage, runOperation } from '../operations/operate.ts';
import type { Handlers, RequestDefinition } from '../protocol/ack.ts';
import type { OperationKind } from '../protocol/agent.ts';
import type { panelRequests } from '../protocol/browser.ts';
import type { PlayerCount } from '../protocol/console.ts';
import type { Call } from '../protocol/stored.ts';
import { authenticate, callerOf } from '../sockets/authenticate.ts';
import { knownCommands, sendCommand } from './command.ts';
import { contentHandlers } from './content-handlers.ts';
import { crashHandlers } from './crash-handlers.ts';
import { fileHandlers } from './file-handlers.ts';
import { generalHandlers } from './general-handlers.ts';
import { joinServer } from './join.ts';
import { playersHandlers } from './players-handlers.ts';
import { propertiesHandlers } from './properties-handlers.ts';
import type { AsUser, PanelServices } from './services.ts';
import { sftpHandlers } from './sftp-handlers.ts';
import { statsOf } from './stats-of.ts';
import type { PanelConnection } from './subscriptions.ts';

interface PanelHandlers {
  handlers: Handlers<typeof panelRequests, PanelConnection>;
  operate(connection: PanelConnection, operation: string, message: unknown): Promise<object>;
  answerStored(connection: PanelConnection, request: RequestDefinition, message: unknown): Promise<object>;
}

/** A row of `stored.ts` as it is here, where any of them is answered. */
interface AnyStored {
  write?(call: Call<Transaction>, message: unknown): Promise<unknown>;
  answer(call: Call<Pool>, message: unknown, written: unknown): object | Promise<object>;
}

/** What answers all requests of panels. */
export function createPanelHandlers(services: PanelServices): PanelHandlers {
  const { context, billing, subscriptions } = services;
  const { sql, now, settings, sealer } = context;

  const asUser: AsUser =
    <M, R>(work: (actor: Actor, message: M, connection: PanelConnection) => Promise<R>) =>
    async (connection: PanelConnection, message: M): Promise<R> => {
      const actor = await authenticate(context, connection.token);
      connection.actor = actor;
      // queues and limits tell people apart
      const credential = credentialOf(actor);
      const who = { network: '', user_id: actor.user_id, ...(credential && { credential }) };
      return await onBehalfOf(who, () => work(actor, message, connection));
    };

  const handlers: PanelHandlers['handlers'] = {
    ...fileHandlers(services, asUser),
    ...sftpHandlers(services, asUser),
    ...contentHandlers(services, asUser),
    ...propertiesHandlers(services, asUser),
    ...generalHandlers(services, asUser),
    ...playersHandlers(services, asUser),
    ...crashHandlers(services, asUser),
    'server.join': asUser((_actor, message, connection) => joinServer(services, connection, message)),
    'server.leave': asUser(async (_actor, { server_id }, connection) => {
      subscriptions.unsubscribe(connection, server_id);
      return {};
    }),
    'server.command': async (connection, message) => {
      await sendCommand(context, connection, message);
      return {};
    },
    'server.commands': (connection, message) => knownCommands(context, connection, message),
    'server.history': asUser(async (actor, { server_id, before, limit }) => {
      const { node_id, facts } = await findAuthorizedServer(sql, actor, server_id, now());
      if (facts.lifecycle === 'suspended') throw new Refused('server_suspended');
      const tail = node_id
        ? await askAgent(context, node_id, (agent) =>
            agent.tail(server_id, before, Math.min(limit, tail_lines)),
          )
        : { epoch: null, lines: [] };
      if (!tail) throw new Refused('server_unreachable');
      const from = tail.lines[0]?.seq ?? before ?? 1;
      return { console: { server_id, epoch: tail.epoch ?? '', from, gap: 0, lines: tail.lines } };
    }),
    'server.list': asUser(async (actor) => {
      const { servers, shared } = await serversFor(sql, actor, now());
      return { servers, shared, players: await playersOf(services, servers) };
    }),
    /**
     * Orders a server as the site does; `op_id` twice is one order. Its row exists with the answer, the job
     * `create_server` schedules it. Without a region it goes where most capacity is.
     */
    'server.create': asUser(async (actor, message, connection) => {
      const { region, ram_gb, ...named } = message;
      const order = {
        ...named,
        ram_gb,
        loader: null,
        starts: false,
        game_version: message.game_version ?? (isKind(message.kind) ? defaultVersion(message.kind) : ''),
        region:
          region ??
          (await regionWithMostCapacity(context, isPlan(named.plan) ? ramGbOf(named.plan, ram_gb) : 0)),
        ...{ interval: 'monthly', currency: 'USD' },
        address: settings.RATE_LIMIT_PER_MINUTE > 0 ? callerOf(connection.socket).address : null,
      };
      const { order_id, server_id } = await checkout(billing, actor, order, null, now());
      const paid = await paidOrder(sql, order_id);
      if (paid) await sql.begin((tx) => createServer(tx, paid));
      return { id: server_id };
    }),
  };
  const operate = asUser((actor, { operation, message }: { operation: string; message: unknown }) =>
    runOperation(context, actor, operation as OperationKind, message as OperationMessage),
  );
  const answerStored = asUser(
    async (actor, { request, message }: { request: AnyStored; message: unknown }) => {
      const call = { actor, now, settings, sealer, billing };
      const written =
        request.write && (await sql.begin((tx) => request.write!({ ...call, db: tx }, message)));
      return await request.answer({ ...call, db: sql }, message, written);
    },
  );
  return {
    handlers,
    operate: (connection, operation, message) => operate(connection, { operation, message }),
    answerStored: (connection, request, message) =>
      answerStored(connection, { request: request as AnyStored, message }),
  };
}

async function regionWithMostCapacity({ sql, now }: PlaneContext, gb: number): Promise<string> {
  const stock = await availableCapacity(sql, sizeOf(Math.max(1, gb)), now());
  return regions.reduce((best, region) => (stock[region] > stock[best] ? region : best));
}

/** The newest count of players of each running server that has one, by ID. */
async function playersOf(
  services: PanelServices,
  servers: readonly ServerView[],
): Promise<Record<string, PlayerCount>> {
  const running = servers.filter(({ state }) => state === 'running').map(({ id }) => id);
  const stats = await statsOf(services, running);
  const counted = running.flatMap((id): [string, PlayerCount][] => {
    const players = stats[id]?.at(-1)?.players;
    return players ? [[id, players]] : [];
  });
  return Object.fromEntries(counted);
}
