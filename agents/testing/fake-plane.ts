import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, type Socket } from 'socket.io';
import {
  type AgentEvent,
  type AgentHandshake,
  consoleLines,
  eventBatch,
  type FromAgent,
  protocolVersions,
  type ServerSpec,
  type ToAgent,
  type Welcome,
} from '#control/protocol/agent.ts';
import type { ConsoleLine, ServerStats } from '#control/protocol/console.ts';
import { type Heartbeat, heartbeat } from '#control/protocol/heartbeat.ts';

type AgentSocket = Socket<FromAgent, ToAgent>;
type Batch = { epoch: string; from: number; lines: ConsoleLine[] };

/**
 * A control plane for tests: speaks the protocol over a real socket, sends the specifications of the test and records
 * what it receives.
 */
export class FakePlane {
  /** What `/transfers?...&file=<sha512>` gives. */
  readonly content = new Map<string, string>();
  readonly #http = createServer((request, answer) => {
    const found = this.content.get(new URL(request.url ?? '', 'http://x').searchParams.get('file') ?? '');
    answer.writeHead(found === undefined ? 404 : 200).end(found);
  });
  readonly #io = new Server(this.#http, { transports: ['websocket'], maxHttpBufferSize: 1_000_000 });
  readonly specs = new Map<string, ServerSpec>();
  readonly deleted = new Set<string>();
  readonly events: (AgentEvent & { stream_id: string })[] = [];
  readonly batches: (Batch & { server_id: string })[] = [];
  readonly handshakes: AgentHandshake[] = [];
  readonly stats: ServerStats[] = [];
  heartbeats: Heartbeat[] = [];
  watched: string[] = [];
  lease = 0;
  installation: string;
  socket: AgentSocket | null = null;
  /** Refuses the handshake with this code. */
  refuse: string | null = null;
  /** Batches of console lines are acknowledged only while this is true. */
  acks_console = true;
  /** Batches of events are acknowledged only while this is true. */
  acks_events = true;
  port = 0;

  constructor(installation: string) {
    this.installation = installation;
    const agents = this.#io.of('/agent');
    agents.use((socket, next) => {
      this.handshakes.push(socket.handshake.auth as AgentHandshake);
      if (!this.refuse) return next();
      next(Object.assign(new Error(this.refuse), { data: { error: this.refuse, description: this.refuse } }));
    });
    agents.on('connection', (socket) => this.#welcome(socket as unknown as AgentSocket));
  }

  async listen(port = 0): Promise<void> {
    await new Promise<void>((done) => this.#http.listen(port, '127.0.0.1', done));
    this.port = (this.#http.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    await this.#io.close();
  }

  #welcome(socket: AgentSocket): void {
    this.socket?.disconnect(true);
    this.socket = socket;
    this.lease += 1;
    const message: Welcome = {
      node_id: 'NodeOne1',
      secret: (socket.handshake.auth as AgentHandshake).join_token ? 'the-secret' : null,
      lease: this.lease,
      protocol: protocolVersions.max,
      clock_offset: 0,
      installation: this.installation,
      node: { name: 'test', bind_address: '127.0.0.1', port_from: 20_000, port_to: 60_000 },
    };
    socket.on('inventory', (_, ack) => {
      ack({ ok: true, specs: [...this.specs.values()], deleted: [...this.deleted] });
      socket.emit('watch', { server_ids: this.watched });
    });
    socket.on('events.push', (message, ack) => {
      if (!this.acks_events) return;
      const { stream_id, events } = eventBatch.parse(message);
      for (const event of events)
        if (!this.events.some((one) => one.stream_id === stream_id && one.seq === event.seq))
          this.events.push({ ...event, stream_id });
      ack({ ok: true, seq: events.at(-1)?.seq ?? 0 });
    });
    socket.on('console.lines', (message, ack) => {
      if (!this.acks_console) return;
      this.batches.push(consoleLines.parse(message));
      ack({ ok: true });
    });
    socket.on('heartbeat', (message, ack) => {
      this.heartbeats.push(heartbeat.parse(message));
      ack({ ok: true });
    });
    socket.on('backup.password', ({ offered }, ack) => ack({ ok: true, password: offered }));
    socket.on('stats', ({ servers }) => void this.stats.push(...servers));
    socket.emit('welcome', message);
  }

  /** Sets the desired state of a server, under the next generation. */
  async setDesired(server_id: string, change: Partial<ServerSpec>): Promise<ServerSpec> {
    const before = this.specs.get(server_id);
    const generation = (before?.generation ?? 0) + 1;
    const spec = { ...wanted(server_id), ...before, ...change, generation };
    this.specs.set(server_id, spec);
    await this.socket?.timeout(20_000).emitWithAck('spec.put', spec);
    return spec;
  }

  /** Runs an operation of a server and gives its end. */
  async operate(server_id: string, kind: string, args: object, op_id: string = randomUUID()) {
    const not_after = new Date(Date.now() + 60_000).toISOString();
    const message = { op_id, server_id, kind, args: { ...args }, not_after, lease: this.lease };
    const answer = await this.socket!.timeout(20_000).emitWithAck('operation.run', message);
    if (answer.status !== 'accepted') throw new Error(answer.status);
    const until = Date.now() + 45_000;
    for (;;) {
      const ended = this.of(server_id, 'operation.ended').find(({ data }) => data.op_id === op_id);
      if (ended) return { op_id, ...ended.data } as { op_id: string; state: string; result: object };
      if (Date.now() > until) throw new Error(`${kind} did not end`);
      await sleep(25);
    }
  }

  /** These servers have viewers from now on, as well as those before. */
  watch(...server_ids: string[]): void {
    this.watched = [...new Set([...this.watched, ...server_ids])];
    this.socket?.emit('watch', { server_ids: this.watched });
  }

  async type(server_id: string, text: string, lease = this.lease) {
    return await this.socket!.timeout(20_000).emitWithAck('console.write', { server_id, text, lease });
  }

  /** Reported powers of a server, in order, without repetitions in a row. */
  powers(server_id: string): string[] {
    return this.of(server_id, 'server.power')
      .map(({ data }) => data.power as string)
      .filter((power, index, all) => power !== all[index - 1]);
  }

  of(server_id: string, type: string): AgentEvent[] {
    return this.events.filter((event) => event.server_id === server_id && event.type === type);
  }

  power(server_id: string): string | undefined {
    return this.powers(server_id).at(-1);
  }

  /** Lines of the newest epoch by number: the same number with two texts is an error. */
  lines(server_id: string): Map<number, ConsoleLine> {
    const own = this.batches.filter((batch) => batch.server_id === server_id);
    const epoch = own.at(-1)?.epoch;
    const lines = new Map<number, ConsoleLine>();
    for (const line of own.filter((batch) => batch.epoch === epoch).flatMap((batch) => batch.lines)) {
      const before = lines.get(line.seq);
      if (before && before.text !== line.text)
        throw new Error(`line ${line.seq} was "${before.text}" and then "${line.text}"`);
      lines.set(line.seq, line);
    }
    return lines;
  }

  texts(server_id: string): string[] {
    return [...this.lines(server_id).values()].map(({ text }) => text);
  }
}

const wanted = (server_id: string): ServerSpec => ({
  server_id,
  generation: 0,
  name: 'Test',
  kind: 'local',
  game_version: '1.16.5',
  loader: null,
  loader_version: null,
  java: null,
  jvm_flags: [],
  heap_mb: null,
  ram_mb: 128,
  swap_mb: 0,
  cpu_millis: 1000,
  disk_mb: 1024,
  port: 25_565,
  extra_ports: [],
  terms_accepted: true,
  power: 'off',
  power_by: null,
  restart_seq: 0,
  resize_seq: 0,
  suspended: false,
  sleep: null,
});
