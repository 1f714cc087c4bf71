import { randomUUID } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { io } from 'socket.io-client';
import { facts } from '#db/testing/builders/hosting.ts';
import type { Ack } from '../protocol/ack.ts';
import {
  type FromAgent,
  type Operation,
  type OperationAnswer,
  protocolVersions,
  type Reconciled,
  type SentSpec,
  type ToAgent,
  type Welcome,
} from '../protocol/agent.ts';
import type { ConsoleLine, KnownCommand } from '../protocol/console.ts';
import { connected, opened } from './clients.ts';
import { ScriptedFiles } from './scripted-files.ts';

/** An agent that reports what a test lets it report: it runs nothing. */
export interface ScriptedAgent {
  socket: Socket<ToAgent, FromAgent>;
  welcome: Welcome;
  reconciled: Reconciled;
  specs: Map<string, SentSpec>;
  deleted: string[];
  operations: Operation[];
  commands: Array<{ server_id: string; text: string }>;
  watched: string[];
  /** What `console.tail` answers. */
  consoles: Map<string, { epoch: string; lines: ConsoleLine[] }>;
  /** What `operation.run` answers. */
  answerOperation: (operation: Operation) => OperationAnswer;
  /** Results of operations that end at once, by kind; any other is accepted and goes on. */
  results: Map<string, object>;
  /** What `console.write` answers; null is no answer. */
  delivers: boolean;
  /** What `console.commands` answers. */
  known_commands: KnownCommand[];
  /** What `files.query` answers from. */
  files: ScriptedFiles;
  report(type: string, server_id: string | null, data: object): Promise<Ack<{ seq: number }>>;
  print(server_id: string, texts: string[]): Promise<Ack>;
  /** Sends stats of a server, and waits until they were handled. */
  measured(server_id: string, at: number, online?: number): Promise<Ack>;
  request<E extends keyof FromAgent>(event: E, message: object): Promise<Ack<{ seq?: number }>>;
  sendHeartbeat(): Promise<Ack>;
  stream_id: string;
  seq: number;
  close(): void;
}

/** What an agent presents at its handshake. */
const handshakeAuth = (given: object) => ({
  ...{
    protocol: [protocolVersions.min, protocolVersions.max],
    agent_version: '0.1.0',
    boot_id: randomUUID(),
    clock: Date.now(),
    ...given,
  },
});

/** Connects to `/agent`; throws the code of a refused handshake. */
export async function connectAgent(
  url: string,
  given: object,
): Promise<{ socket: Socket; welcome: Welcome }> {
  const socket = io(`${url}/agent`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: handshakeAuth(given),
  });
  opened.add(socket);
  const welcome = new Promise<Welcome>((go) => socket.once('welcome', go));
  await connected(socket);
  return { socket, welcome: await welcome };
}

/** A scripted agent of a node, connected and reconciled, with its first heartbeat sent. */
export async function agent(
  url: string,
  credentials: object,
  inventory: Record<string, { generation: number; hash: string }> = {},
  before: Partial<Pick<ScriptedAgent, 'consoles' | 'seq' | 'stream_id' | 'files'>> = {},
): Promise<ScriptedAgent> {
  const { socket, welcome } = await connectAgent(url, credentials);
  const ask = (event: string, message: object) =>
    socket.timeout(20_000).emitWithAck(event, { lease: welcome.lease, ...message });
  const me: ScriptedAgent = {
    socket,
    welcome,
    reconciled: { specs: [], deleted: [] },
    specs: new Map(),
    deleted: [],
    operations: [],
    commands: [],
    watched: [],
    consoles: before.consoles ?? new Map(),
    answerOperation: () => ({ status: 'accepted' }),
    results: new Map(),
    delivers: true,
    known_commands: [],
    files: before.files ?? new ScriptedFiles(url),
    stream_id: before.stream_id ?? randomUUID(),
    seq: before.seq ?? 0,
    request: ask,
    report(type, server_id, data) {
      me.seq += 1;
      const event = { seq: me.seq, server_id, type, at: new Date().toISOString(), data };
      return ask('events.push', { stream_id: me.stream_id, events: [event] });
    },
    print(server_id, texts) {
      const { epoch, lines } = me.consoles.get(server_id)!;
      const from = (lines.at(-1)?.seq ?? 0) + 1;
      const added = texts.map((text, i) => ({ seq: from + i, at: Date.now(), stream: 'out' as const, text }));
      lines.push(...added);
      return ask('console.lines', { server_id, epoch, from, lines: added });
    },
    measured(server_id, at, online = 2) {
      const stats = {
        ...{ server_id, at, cpu_percent: 1, ram_mb: 1, ram_limit_mb: 4, disk_mb: 1, disk_limit_mb: 4 },
        ...{ rx_bytes: 0, tx_bytes: 0, players: { online, most: 12 } },
      };
      socket.emit('stats', { lease: welcome.lease, servers: [stats] });
      return me.sendHeartbeat();
    },
    sendHeartbeat: () => ask('heartbeat', { docker: 'up', facts, ports_used: [] }),
    close: () => socket.close(),
  };
  handleMessages(me);
  const reconciled = await ask('inventory', { servers: inventory });
  me.reconciled = reconciled;
  for (const spec of reconciled.specs) me.specs.set(spec.server_id, spec);
  await me.sendHeartbeat();
  return me;
}

function handleMessages(me: ScriptedAgent): void {
  const { socket } = me;
  socket.on('spec.put', (spec, ack) => {
    me.specs.set(spec.server_id, spec);
    ack({ generation: spec.generation });
  });
  socket.on('spec.delete', ({ server_id }, ack) => {
    me.deleted.push(server_id);
    ack({ ok: true });
  });
  socket.on('operation.run', (operation, ack) => {
    const is_known = me.operations.some(({ op_id }) => op_id === operation.op_id);
    if (!is_known) me.operations.push(operation);
    ack(is_known ? { status: 'duplicate', state: 'accepted' } : me.answerOperation(operation));
    const result = me.results.get(operation.kind);
    if (result && !is_known)
      void me.report('operation.ended', operation.server_id, {
        op_id: operation.op_id,
        state: 'done',
        result,
      });
  });
  socket.on('console.write', ({ server_id, text }, ack) => {
    me.commands.push({ server_id, text });
    ack(me.delivers ? { delivered: true } : { delivered: false, why: 'failed' });
  });
  socket.on('console.tail', ({ server_id, before, limit }, ack) => {
    const { epoch, lines } = me.consoles.get(server_id) ?? { epoch: null, lines: [] };
    const tail = lines.filter(({ seq }) => before === null || seq < before).slice(-limit);
    ack({ epoch, lines: tail, first: lines[0]?.seq ?? 1 });
  });
  socket.on('console.commands', ({ server_id }, ack) => {
    ack({ epoch: me.consoles.get(server_id)?.epoch ?? null, commands: me.known_commands });
  });
  socket.on('files.query', async ({ query, args }, ack) => ack(await me.files.answer(query, args)));
  socket.on('watch', ({ server_ids }) => {
    me.watched = server_ids;
  });
}

/** The data of `server.power`; only what a test is about need be given. */
export const powerReport = (power: string, given: object = {}) => ({
  ...{ power, generation: 1, epoch: null, started_at: null, exit_code: null, out_of_memory: false },
  ...{ last_lines: [], crash_loop: false, duration_s: null, ...given },
});
