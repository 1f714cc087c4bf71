import { randomUUID } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { io } from 'socket.io-client';
import { facts } from '#db/seed/hosting.ts';
import type { Ack } from '../protocol/ack.ts';
import {
  type FromAgent,
  type Operation,
  type OperationAnswer,
  protocolVersions,
  type Reconciled,
  type ServerSpec,
  type ToAgent,
  type Welcome,
} from '../protocol/agent.ts';
import type { ConsoleLine } from '../protocol/console.ts';
import { connected, opened } from './clients.ts';

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
  /** What `console.tail` answers. */
  consoles: Map<string, { epoch: string; lines: ConsoleLine[] }>;
  /** What `operation.run` answers. */
  answerOperation: (operation: Operation) => OperationAnswer;
  /** What `con.write` answers; null is no answer. */
  delivers: boolean;
  say(type: string, server_id: string | null, data: object): Promise<Ack<{ seq: number }>>;
  print(server_id: string, texts: string[]): Promise<Ack>;
  ask<E extends keyof FromAgent>(event: E, message: object): Promise<Ack<{ seq?: number }>>;
  beat(): Promise<Ack>;
  stream_id: string;
  seq: number;
  close(): void;
}

/** What an agent shows at the door. */
export const hello = (given: object) => ({
  ...{
    protocol: [protocolVersions.min, protocolVersions.max],
    agent_version: '0.1.0',
    boot_id: randomUUID(),
    clock: Date.now(),
    ...given,
  },
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
    reconciled: { specs: [], deleted: [] },
    specs: new Map(),
    gone: [],
    operations: [],
    commands: [],
    watched: [],
    consoles: before.consoles ?? new Map(),
    answerOperation: () => ({ status: 'accepted' }),
    delivers: true,
    stream_id: before.stream_id ?? randomUUID(),
    seq: before.seq ?? 0,
    ask,
    say(type, server_id, data) {
      me.seq += 1;
      const event = { seq: me.seq, server_id, type, at: new Date().toISOString(), data };
      return ask('events.push', { stream_id: me.stream_id, events: [event] });
    },
    print(server_id, texts) {
      const { epoch, lines } = me.consoles.get(server_id)!;
      const from = (lines.at(-1)?.seq ?? 0) + 1;
      const fresh = texts.map((text, i) => ({ seq: from + i, at: Date.now(), stream: 'out' as const, text }));
      lines.push(...fresh);
      return ask('console.lines', { server_id, epoch, from, lines: fresh });
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
  socket.on('spec.delete', ({ server_id }, taken) => {
    me.gone.push(server_id);
    taken({ ok: true });
  });
  socket.on('operation.run', (operation, taken) => {
    const known = me.operations.some(({ op_id }) => op_id === operation.op_id);
    if (!known) me.operations.push(operation);
    taken(known ? { status: 'duplicate', state: 'accepted' } : me.answerOperation(operation));
  });
  socket.on('console.write', ({ server_id, text }, taken) => {
    me.commands.push({ server_id, text });
    taken(me.delivers ? { delivered: true } : { delivered: false, why: 'failed' });
  });
  socket.on('console.tail', ({ server_id, before, limit }, taken) => {
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
  ...{ last_lines: [], crash_loop: false, duration_s: null, ...given },
});
