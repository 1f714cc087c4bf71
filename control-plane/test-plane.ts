import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { io, type Socket } from 'socket.io-client';
import { expect, vi } from 'vitest';
import { testPayments } from '#db/billing/test-processor.ts';
import { parseSettings } from '#db/env.ts';
import { addNode } from '#db/nodes/write.ts';
import type { OpenRecord } from '#db/record.ts';
import { type BuiltUser, token, user } from '#db/seed/build.ts';
import { facts, server } from '#db/seed/hosting.ts';
import { place } from '#db/servers/place.ts';
import type { Pool } from '#db/sql.ts';
import type {
  ConsoleLine,
  FromAgent,
  Operation,
  OperationAnswer,
  Reconciled,
  ServerSpec,
  ToAgent,
  Welcome,
} from './agent-protocol.ts';
import { createPlane, type Plane } from './plane.ts';
import type { Answer, FromBrowser, FromStaff, ToBrowser, ToStaff } from './protocol.ts';

/** A real control plane on a port of its own, real Socket.IO clients, and an agent that does what a test says. */

export const siteUrl = 'http://cairn.test';

export interface TestPlane {
  plane: Plane;
  url: string;
  close(): Promise<void>;
}

/** A control plane on this database. Its clock is the machine's. */
export async function startPlane(sql: Pool, port = 0): Promise<TestPlane> {
  const settings = parseSettings({ SITE_URL: siteUrl, PAYMENTS: 'test' });
  const record = {
    ...{ settings, sql, log: pino({ level: process.env.TEST_LOG ?? 'silent' }), now: () => new Date() },
    close: async () => {},
  } as OpenRecord;
  const server = createServer(
    async (req, res) => (await plane.hub.parcels.take(req, res)) || res.writeHead(404).end(),
  );
  const till = { sql, payments: testPayments, board: { send: async () => {} } };
  const plane: Plane = await createPlane(record, server, till);
  await new Promise<void>((go) => server.listen(port, '127.0.0.1', go));
  const { port: own } = server.address() as AddressInfo;
  return {
    plane,
    url: `http://127.0.0.1:${own}`,
    async close() {
      await plane.close();
      server.closeAllConnections();
      await new Promise((go) => server.close(go));
    },
  };
}

type Asked = keyof FromBrowser;
type Message<E extends Asked> = Parameters<FromBrowser[E]>[0];
type Told<E extends Asked> = Parameters<Parameters<FromBrowser[E]>[1]>[0];
type Heard = { [E in keyof ToBrowser]: Array<Parameters<ToBrowser[E]>[0]> };

export interface Browser {
  socket: Socket<ToBrowser, FromBrowser>;
  /** Everything the plane said, by event. */
  heard: Heard;
  ask<E extends Asked>(event: E, message: Message<E>): Promise<Told<E>>;
  close(): void;
}

interface Opening {
  token?: string;
  headers?: Record<string, string>;
  locale?: string;
}

const opened = new Set<Socket>();
/** Ends every client a test file made. */
export const closeClients = (): void => {
  for (const socket of opened) socket.close();
};

const dial = (url: string, { token, headers, locale }: Opening): Socket => {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    auth: { ...(token ? { token } : {}), ...(locale ? { locale } : {}) },
    ...(headers ? { extraHeaders: headers } : {}),
  });
  opened.add(socket);
  return socket;
};

/** Settles with the first connection; a refused handshake throws its answer's code. */
const connected = (socket: Socket): Promise<void> =>
  new Promise((go, fail) => {
    socket.once('connect', go);
    socket.once('connect_error', (error: Error & { data?: { error: string } }) =>
      fail(new Error(error.data?.error ?? error.message)),
    );
  });

/** Connects to `/server` as a browser or program would. Throws the code of a refused handshake. */
export async function browser(url: string, opening: Opening): Promise<Browser> {
  const socket: Browser['socket'] = dial(`${url}/server`, opening) as Browser['socket'];
  const heard: Heard = { state: [], console: [], stats: [], task: [], notices: [], gone: [], node: [] };
  socket.onAny((event: keyof Heard, message) => heard[event]?.push(message as never));
  await connected(socket as unknown as Socket);
  return {
    socket,
    heard,
    ask: (event, message) =>
      (socket as unknown as Socket).timeout(20_000).emitWithAck(event, message) as Promise<never>,
    close: () => socket.close(),
  };
}

/** Connects to `/staff`. */
export async function staff(url: string, token: string): Promise<Socket<ToStaff, FromStaff>> {
  const socket = dial(`${url}/staff`, { token });
  await connected(socket);
  return socket as unknown as Socket<ToStaff, FromStaff>;
}

/** An agent that says what a test lets it say: it runs nothing. */
export interface ScriptedAgent {
  socket: Socket<ToAgent, FromAgent>;
  welcome: Welcome;
  reconciled: Reconciled;
  specs: Map<string, ServerSpec>;
  gone: string[];
  operations: Operation[];
  commands: Array<{ server_id: string; text: string }>;
  watched: string[];
  /** What `con.tail` answers. */
  consoles: Map<string, { epoch: string; lines: ConsoleLine[] }>;
  /** What `op.run` answers. */
  answerOperation: (operation: Operation) => OperationAnswer;
  /** What `con.write` answers; null is no answer. */
  delivers: boolean;
  say(type: string, server_id: string | null, data: object): Promise<Answer<{ seq: number }>>;
  print(server_id: string, texts: string[]): Promise<Answer>;
  ask<E extends keyof FromAgent>(event: E, message: object): Promise<Answer<{ seq?: number }>>;
  beat(): Promise<Answer>;
  stream_id: string;
  seq: number;
  close(): void;
}

/** What an agent shows at the door. */
export const hello = (given: object) => ({
  ...{ protocol: [1, 1], agent_version: '0.1.0', boot_id: randomUUID(), clock: Date.now(), ...given },
});

/** Knocks at `/agent`; throws the code of a refused handshake. */
export async function knock(url: string, given: object): Promise<{ socket: Socket; welcome: Welcome }> {
  const socket = io(`${url}/agent`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: hello(given),
  });
  opened.add(socket);
  const welcome = new Promise<Welcome>((go) => socket.once('welcome', go));
  await connected(socket);
  return { socket, welcome: await welcome };
}

/** A scripted agent that speaks for a node, connected and reconciled, its machine told. */
export async function agent(
  url: string,
  shown: object,
  held: Record<string, { generation: number; hash: string }> = {},
  before: Partial<Pick<ScriptedAgent, 'consoles' | 'seq' | 'stream_id'>> = {},
): Promise<ScriptedAgent> {
  const { socket, welcome } = await knock(url, shown);
  const ask = (event: string, message: object) =>
    socket.timeout(20_000).emitWithAck(event, { lease: welcome.lease, ...message });
  const me: ScriptedAgent = {
    socket,
    welcome,
    reconciled: { specs: [], gone: [] },
    specs: new Map(),
    gone: [],
    operations: [],
    commands: [],
    watched: [],
    consoles: before.consoles ?? new Map(),
    answerOperation: () => ({ took: 'accepted' }),
    delivers: true,
    stream_id: before.stream_id ?? randomUUID(),
    seq: before.seq ?? 0,
    ask,
    say(type, server_id, data) {
      me.seq += 1;
      const event = { seq: me.seq, server_id, type, at: new Date().toISOString(), data };
      return ask('ev.batch', { stream_id: me.stream_id, events: [event] });
    },
    print(server_id, texts) {
      const { epoch, lines } = me.consoles.get(server_id)!;
      const from = (lines.at(-1)?.seq ?? 0) + 1;
      const fresh = texts.map((text, i) => ({ seq: from + i, at: Date.now(), stream: 'out' as const, text }));
      lines.push(...fresh);
      return ask('con', { server_id, epoch, from, lines: fresh });
    },
    beat: () => ask('heartbeat', { docker: 'up', facts, ports_used: [] }),
    close: () => socket.close(),
  };
  obey(me);
  const reconciled = await ask('inventory', { servers: held });
  me.reconciled = reconciled;
  for (const spec of reconciled.specs) me.specs.set(spec.server_id, spec);
  await me.beat();
  return me;
}

function obey(me: ScriptedAgent): void {
  const { socket } = me;
  socket.on('spec.put', (spec, taken) => {
    me.specs.set(spec.server_id, spec);
    taken({ generation: spec.generation });
  });
  socket.on('spec.gone', ({ server_id }, taken) => {
    me.gone.push(server_id);
    taken({ ok: true });
  });
  socket.on('op.run', (operation, taken) => {
    const known = me.operations.some(({ op_id }) => op_id === operation.op_id);
    if (!known) me.operations.push(operation);
    taken(known ? { took: 'duplicate', state: 'accepted' } : me.answerOperation(operation));
  });
  socket.on('con.write', ({ server_id, text }, taken) => {
    me.commands.push({ server_id, text });
    taken(me.delivers ? { delivered: true } : { delivered: false, why: 'failed' });
  });
  socket.on('con.tail', ({ server_id, before, limit }, taken) => {
    const { epoch, lines } = me.consoles.get(server_id) ?? { epoch: null, lines: [] };
    const told = lines.filter(({ seq }) => before === null || seq < before).slice(-limit);
    taken({ epoch, lines: told, first: lines[0]?.seq ?? 1 });
  });
  socket.on('watch', ({ server_ids }) => {
    me.watched = server_ids;
  });
}

/** What `server.power` says of a server; only what a test is about need be given. */
export const powerSeen = (power: string, given: object = {}) => ({
  ...{ power, generation: 1, epoch: null, started_at: null, exit_code: null, out_of_memory: false },
  ...{ last_lines: [], held: false, took_s: null, ...given },
});

export interface Rented {
  node: { id: string };
  runner: ScriptedAgent;
  owner: BuiltUser;
  /** The owner's token. */
  key: string;
  id: string;
  screen: Browser;
}

/** A renter with a server on a node of its own whose agent is on this plane: installed, and off. */
export async function rented(sql: Pool, url: string): Promise<Rented> {
  const region = randomUUID();
  const node = await freshNode(sql, region);
  const runner = await agent(url, { join_token: node.join_token });
  const owner = await user(sql);
  const id = await serverOf(sql, runner, owner, region);
  const key = await token(sql, owner);
  return { node, runner, owner, key, id, screen: await browser(url, { token: key }) };
}

/** One more server in the region of an agent's node, installed and off. */
export async function serverOf(
  sql: Pool,
  runner: ScriptedAgent,
  owner: BuiltUser,
  region: string,
): Promise<string> {
  const id = await server(sql, owner, { region });
  await sql.begin((tx) => place(tx, id, new Date()));
  await vi.waitFor(() => expect(runner.specs.get(id)?.generation).toBe(1), 20_000);
  await runner.say('server.installed', id, { generation: 1 });
  return id;
}

/** The server runs, as its agent says, with a console of this epoch. */
export async function running({ runner, id }: Pick<Rented, 'runner' | 'id'>, epoch = 'one'): Promise<void> {
  runner.consoles.set(id, { epoch, lines: [] });
  await runner.say('server.power', id, powerSeen('running', { epoch }));
}

/** A node that nobody speaks for yet. */
export async function freshNode(sql: Pool, region: string): Promise<{ id: string; join_token: string }> {
  const name = `n-${randomUUID().slice(0, 20)}`;
  return await addNode(sql, { name, region, public_address: 'play.example.test' }, new Date());
}
