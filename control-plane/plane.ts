import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import { Server } from 'socket.io';
import type { BillingContext } from '#db/billing/checkout.ts';
import { Refused } from '#db/errors.ts';
import { installationId } from '#db/installation.ts';
import { releaseLeases } from '#db/nodes/write.ts';
import { nextNotice } from '#db/notices/read.ts';
import type { OpenRecord } from '#db/record.ts';
import { offerAll, openAgentDoor } from './agents/door.ts';
import { addressOf } from './callers.ts';
import { Consoles } from './console/consoles.ts';
import { gather } from './gather.ts';
import { type Hub, newsDesk } from './hub.ts';
import { scheduleWaiting } from './jobs/schedule-servers.ts';
import { Buckets, limits, Tally } from './limits.ts';
import { openNews } from './news.ts';
import { openPanelDoor } from './panel/door.ts';
import { Panels } from './panel/panels.ts';
import { Parcels } from './parcels.ts';
import { messageBytes } from './protocol.ts';
import { Staff } from './staff.ts';

/** Sessions and tokens expire without anybody writing it down. */
const rights_ms = 10_000;
/** What an agent did not answer is told it again. */
const offer_ms = 15_000;
/** A notice begins at its time; timers longer than this are set anew. */
const longest_ms = 3_600_000;

export interface Plane {
  hub: Hub;
  /** Resolves when everything that was heard of so far is looked at. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the sockets of a control plane on `server`: agents, panels, staff. Holds no truth: it may end at any moment, and
 * any number of them may run on one record. Source: hosting §5.
 */
export async function createPlane(
  record: OpenRecord,
  server: HttpServer,
  till: BillingContext,
): Promise<Plane> {
  const { sql, log } = record;
  const io = new Server({
    transports: ['websocket'],
    path: '/socket.io',
    serveClient: false,
    perMessageDeflate: false,
    maxHttpBufferSize: messageBytes,
    connectTimeout: 10_000,
  });
  // nobody needs the default namespace: without this anybody could hold sockets there without a token
  io.use((socket, next) => {
    next(new Error('Connect to /server, /staff or /agent.'));
    setImmediate(() => socket.conn.close()); // after the refusal was sent
  });
  const knocks = new Buckets(limits.knocks);
  const hub: Hub = {
    id: randomUUID(),
    installation: await installationId(sql),
    record,
    log,
    io,
    knock(knock) {
      if (!knocks.take(addressOf(knock), performance.now())) throw new Refused('too_fast');
    },
    links: new Map(),
    consoles: new Consoles(io.of('/server'), {
      tail: async (node_id, server_id) => (await hub.links.get(node_id)?.tailNow(server_id)) ?? null,
      watch: (node_id, server_ids) => hub.links.get(node_id)?.watch(server_ids),
    }),
    panels: new Panels(() => hub),
    staff: new Staff(() => hub),
    parcels: new Parcels(() => hub),
    hears: () => news.hears && upToDate,
    arrivals: new EventEmitter().setMaxListeners(0),
    agentCame(link) {
      hub.arrivals.emit(link.node_id);
      hub.consoles.agentCame(link.node_id);
      hub.panels.tellNode(link.node_id, true, record.now());
    },
    agentWent({ node_id }) {
      hub.panels.tellNode(node_id, false, record.now());
    },
    nodeHeard: () => hub.staff.changed(),
    roomCame: () => places.add(''),
  };
  const places = gather(
    () => scheduleWaiting(record).then(() => {}),
    (err) => log.warn({ err }, 'Servers that wait for a place could not be looked at; they are tried again'),
  );
  const desk = newsDesk(hub);
  let upToDate = true;
  const notices = noticeClock(hub, desk.heard);
  const news = openNews(
    sql,
    {
      heard(what) {
        const since = record.now();
        desk.heard(what);
        if (what === 'notices') notices.set(since);
      },
      fresh() {
        const since = record.now();
        upToDate = false;
        desk.fresh();
        void desk.idle().then(() => {
          upToDate = true;
        });
        notices.set(since);
      },
    },
    log,
  );
  await news.ready;
  const tally = new Tally();
  openAgentDoor(hub);
  openPanelDoor(hub, till, tally);
  hub.staff.open(tally);
  io.attach(server);
  const rights = setInterval(() => desk.heard('rights'), rights_ms).unref();
  const offers = setInterval(() => {
    for (const link of hub.links.values())
      if (link.reconciled) offerAll(hub, link).catch((err) => log.warn({ err }, 'Wishes could not be read'));
  }, offer_ms).unref();
  return {
    hub,
    idle: () => desk.idle(),
    async close() {
      // nobody comes back to a process that goes
      server.close();
      clearInterval(rights);
      clearInterval(offers);
      notices.stop();
      places.stop();
      desk.stop();
      hub.staff.stop();
      hub.parcels.close();
      await news.stop();
      hub.consoles.close();
      await releaseLeases(sql, hub.id).catch((err) => log.warn({ err }, 'Nodes could not be let go'));
      // the connections end, not the sockets: everybody dials again, here or elsewhere
      io.engine.close();
    },
  };
}

/**
 * Rings when the next notice begins or ends; whoever changes notices sets it anew. `since` is a moment before notices
 * were looked at: one that begins or ends while they are read rings once more.
 */
function noticeClock(hub: Hub, heard: (what: string) => void): { set(since: Date): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let turn = 0;
  const set = (since: Date) => {
    turn += 1;
    const mine = turn;
    const { sql, now, log } = hub.record;
    nextNotice(sql, since)
      .then((at) => {
        if (stopped || mine !== turn) return;
        clearTimeout(timer);
        const wait = at ? Math.min(longest_ms, Math.max(0, at.getTime() - now().getTime())) : longest_ms;
        timer = setTimeout(() => {
          const rang = now();
          heard('notices');
          set(rang);
        }, wait).unref();
      })
      .catch((err) => log.warn({ err }, 'When the next notice begins could not be read'));
  };
  return {
    set,
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
