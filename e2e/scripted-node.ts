import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { io } from 'socket.io-client';
import {
  type FromAgent,
  type Operation,
  protocolVersions,
  type SentSpec,
  type ToAgent,
  type Welcome,
} from '../control-plane/protocol/agent.ts';
import type { ConsoleLine, KnownCommand, PlayerCount } from '../control-plane/protocol/console.ts';
import type { QueryAnswer } from '../control-plane/protocol/files.ts';
import { site } from './product.ts';

const gib = 1024;

/** A node whose agent runs no containers and reports what a test scripts. */
export interface ScriptedNode {
  /** The latest desired state of each server. */
  specs: Map<string, SentSpec>;
  /** The commands typed into consoles. */
  typed: string[];
  /** The commands that its servers name when they are asked for help. */
  known_commands: KnownCommand[];
  installed(server_id: string): Promise<void>;
  /** It could not be set up. */
  broken(server_id: string, step: string): Promise<void>;
  power(server_id: string, power: string, more?: object): Promise<void>;
  /** It warns of something. */
  warn(server_id: string, code: string): Promise<void>;
  /** Writes lines to the console; the `lost` lines before them are never sent. */
  print(
    server_id: string,
    texts: readonly string[],
    lost?: number,
    stream?: ConsoleLine['stream'],
  ): Promise<void>;
  stats(server_id: string, share: number, players?: PlayerCount): void;
  /** An operation is at `done` of `total`. */
  progress(server_id: string, op_id: string, done: number, total: number | null): void;
  close(): void;
}

/** What stands behind the servers of a scripted node; by default nothing: a test reports everything itself. */
export interface NodeScript {
  /** Whether new servers are reported as installed at once. */
  installs?: boolean;
  /** A server has another desired state: before a new one is reported as installed, and after that. */
  provide?(spec: SentSpec): Promise<void>;
  follow?(spec: SentSpec): Promise<void>;
  /** A command was typed into a console. */
  command?(server_id: string, text: string): Promise<void>;
  /** Answers a question about files. */
  query?(server_id: string, query: string, args: object): Promise<QueryAnswer>;
  /** Runs an operation to its end; null leaves it under way. */
  run?(operation: Operation): Promise<{ state: string; result: object }> | null;
}

const noFiles = async (): Promise<QueryAnswer> => ({
  ok: false,
  error: 'file_not_found',
  data: { path: '/' },
});

/** Joins with the token of `cairn node add`, through the site's own port as agents do. */
export async function scriptedNode(join_token: string, script: NodeScript = {}): Promise<ScriptedNode> {
  const { installs = true, query = noFiles } = script;
  const socket = io(`${site}/agent`, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: {
      ...{
        join_token,
        protocol: [protocolVersions.min, protocolVersions.max],
        agent_version: '0.1.0',
        boot_id: randomUUID(),
        clock: Date.now(),
      },
    },
  });
  const welcome = new Promise<Welcome>((go) => socket.once('welcome', go));
  await new Promise<void>((go, fail) => {
    socket.once('connect', go);
    socket.once('connect_error', fail);
  });
  const { lease } = await welcome;
  /** As agents do, what was refused because two transactions met is sent again. */
  const request = async (event: keyof FromAgent, message: object, tries = 5) => {
    const answer = await socket.timeout(20_000).emitWithAck(event, { lease, ...message });
    if (!answer.ok && answer.error === 'busy' && tries > 1) return await request(event, message, tries - 1);
    if (!answer.ok) throw new Error(`${event}: ${answer.error}`);
    return answer;
  };
  const stream_id = randomUUID();
  let seq = 0;
  const report = (type: string, server_id: string, data: object) =>
    request('events.push', {
      stream_id,
      events: [{ seq: ++seq, server_id, type, at: new Date().toISOString(), data }],
    });
  const specs = new Map<string, SentSpec>();
  /** Pages know of a server on this node a moment before the node does. */
  const specOf = async (server_id: string): Promise<SentSpec> => {
    for (const until = Date.now() + 20_000; !specs.has(server_id); await setTimeout(25))
      if (Date.now() > until) throw new Error(`The node was not asked for server ${server_id}`);
    return specs.get(server_id)!;
  };
  const typed: string[] = [];
  const known_commands: KnownCommand[] = [];
  const consoles = new Map<string, { epoch: string; next: number; lines: ConsoleLine[] }>();
  const on = <E extends keyof ToAgent>(event: E, act: ToAgent[E]) => socket.on(event as string, act);

  let last: Promise<unknown> = Promise.resolve();
  /** What the script does, one after the other; what is under way when the test ends is of no interest. */
  const inTurn = (work: () => Promise<unknown> | undefined) => {
    last = last.then(work).catch((error: unknown) => {
      if (socket.connected) console.error('A scripted node failed:', error);
    });
  };
  on('spec.put', (spec, taken) => {
    const isNew = !specs.has(spec.server_id);
    specs.set(spec.server_id, spec);
    taken({ generation: spec.generation });
    inTurn(() => script.provide?.(spec));
    if (isNew && installs)
      inTurn(() => report('server.installed', spec.server_id, { generation: spec.generation }));
    inTurn(() => script.follow?.(spec));
  });
  on('spec.delete', (_, taken) => taken({ ok: true }));
  const operations = new Set<string>();
  on('operation.run', (operation, taken) => {
    const { op_id, server_id } = operation;
    if (operations.has(op_id)) return taken({ status: 'duplicate', state: 'accepted' });
    operations.add(op_id);
    taken({ status: 'accepted' });
    const end = ({ state, result }: { state: string; result: object }) =>
      report('operation.ended', server_id, { op_id, state, result });
    // several at once, as agents do
    void script
      .run?.(operation)
      ?.then(end)
      .catch(() => {});
  });
  on('files.query', async ({ server_id, query: kind, args }, taken) =>
    taken(await query(server_id, kind, args)),
  );
  on('console.write', ({ server_id, text }, taken) => {
    typed.push(text);
    taken({ delivered: true });
    inTurn(() => script.command?.(server_id, text));
  });
  on('console.commands', ({ server_id }, taken) =>
    taken({ epoch: consoles.get(server_id)?.epoch ?? null, commands: known_commands }),
  );
  on('console.tail', ({ server_id, before, limit }, taken) => {
    const { epoch, lines } = consoles.get(server_id) ?? { epoch: null, lines: [] };
    const older = lines.filter((line) => before === null || line.seq < before).slice(-limit);
    taken({ epoch, lines: older, first: lines[0]?.seq ?? 1 });
  });
  await request('inventory', { servers: {} });
  const facts = {
    ...{ agent_version: '0.1.0', docker: '20.10.24', disk_mode: 'measured', kinds: ['local', 'itzg'] },
    ...{
      cpu_millis: 8000,
      ram_mb: 8 * gib,
      disk_mb: 200 * gib,
      disk_free_mb: 150 * gib,
      load: 1.5,
      can_sleep: true,
    },
  };
  const beat = () => request('heartbeat', { docker: 'up', facts, ports_used: [] });
  await beat();
  const beating = setInterval(() => void beat().catch(() => {}), 4000);

  return {
    specs,
    known_commands,
    typed,
    async installed(server_id) {
      const { generation } = await specOf(server_id);
      await report('server.installed', server_id, { generation });
    },
    async broken(server_id, step) {
      const { generation } = await specOf(server_id);
      await report('server.broken', server_id, { step, error: 'scripted', generation });
    },
    async warn(server_id, code) {
      await report('server.warning', server_id, { code, detail: '' });
    },
    async power(server_id, power, more = {}) {
      const known = consoles.get(server_id);
      if (power === 'starting')
        consoles.set(server_id, { epoch: randomUUID(), next: 1, lines: known?.lines.slice(0, 0) ?? [] });
      const { generation } = await specOf(server_id);
      const epoch = consoles.get(server_id)?.epoch ?? null;
      const started_at = power === 'stopped' ? null : new Date().toISOString();
      const rest = {
        exit_code: null,
        out_of_memory: false,
        last_lines: [],
        crash_loop: false,
        restart_at: null,
        duration_s: null,
      };
      await report('server.power', server_id, { power, generation, epoch, started_at, ...rest, ...more });
    },
    async print(server_id, texts, lost = 0, stream = 'out') {
      const console = consoles.get(server_id)!;
      const from = console.next;
      const lines = texts.map((text, i) => ({
        ...{ seq: from + lost + i, at: Date.now(), stream, text },
      }));
      console.next = from + lost + lines.length;
      console.lines.push(...lines);
      await request('console.lines', { server_id, epoch: console.epoch, from, lines });
    },
    stats(server_id, share, players = { online: 2, most: 12 }) {
      const now = {
        ...{ server_id, at: Date.now(), cpu_percent: 200 * share },
        ...{ ram_mb: 4 * gib * share, ram_limit_mb: 4 * gib, disk_mb: 3 * gib, disk_limit_mb: 32 * gib },
        ...{ rx_bytes: 0, tx_bytes: 0, players },
      };
      socket.emit('stats', { lease, servers: [now] });
    },
    progress(server_id, op_id, done, total) {
      socket.volatile.emit('operation.progress', { lease, server_id, op_id, done, total });
    },
    close() {
      clearInterval(beating);
      socket.close();
    },
  };
}
