import type { Readable } from 'node:stream';
import type { ServerStats } from '#control/protocol/console.ts';
import { askForPlayers } from '../console/online-players.ts';
import type { AgentContext } from '../context.ts';
import { cpuPercent, type Sample, traffic, usedRamMb } from '../docker/container-stats.ts';
import type { ServerController } from './controller.ts';
import type { Status } from './status-ping.ts';

/** How often a server without viewers is measured, and how often players are counted on one with viewers. */
const idle_interval_ms = 10_000;
const players_interval_ms = 5_000;
/** How often its console is asked for names while as many are online: each answer that is left out is stored. */
const names_interval_ms = 30_000;
/** Servers in one message: about 100 kB. */
const max_in_message = 400;

interface Watched {
  container_id: string;
  stream: Readable | null;
  closed: boolean;
}

/**
 * Measures running servers: those with viewers once a second, as Docker samples, the others every 10 s, which are given to
 * `onStats` together: one message, however many they are. Samples are not stored.
 */
export class Stats {
  readonly #context: AgentContext;
  readonly #controllers: ReadonlyMap<string, ServerController>;
  readonly #onStats: (stats: ServerStats[]) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #before = new Map<string, { container_id: string; sample: Sample }>();
  /** What servers answered that were asked for names. */
  readonly #named = new Map<string, { at: number; online: number; names: string[] }>();
  #watched_ids = new Set<string>();
  #timer: NodeJS.Timeout;
  #closed = false;
  #isRound = false;

  constructor(
    context: AgentContext,
    controllers: ReadonlyMap<string, ServerController>,
    take: (stats: ServerStats[]) => void,
  ) {
    [this.#context, this.#controllers, this.#onStats] = [context, controllers, take];
    this.#timer = setInterval(() => void this.#others(), idle_interval_ms);
  }

  /** Servers that have viewers. */
  watch(server_ids: readonly string[]): void {
    this.#watched_ids = new Set(server_ids);
    this.refresh();
  }

  /** A server may have started or ended. */
  refresh(): void {
    if (this.#closed) return;
    for (const [server_id, watched] of this.#watched) {
      const observed = this.#controllers.get(server_id)?.observed;
      if (!this.#watched_ids.has(server_id) || !observed?.alive || observed.id !== watched.container_id)
        this.#close(server_id);
    }
    for (const server_id of this.#watched_ids) {
      const observed = this.#controllers.get(server_id)?.observed;
      if (observed?.alive && !this.#watched.has(server_id)) void this.#open(server_id, observed.id);
    }
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const server_id of this.#watched.keys()) this.#close(server_id);
  }

  async #open(server_id: string, container_id: string): Promise<void> {
    const watched: Watched = { container_id, stream: null, closed: false };
    this.#watched.set(server_id, watched);
    const onEnd = () => this.#watched.get(server_id) === watched && this.#close(server_id);
    try {
      const container = this.#context.docker.streams.getContainer(container_id);
      const stream = (await container.stats({ stream: true })) as unknown as Readable;
      if (watched.closed || this.#closed) return void stream.destroy();
      watched.stream = stream;
      let rest = '';
      stream.setEncoding('utf8').on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines)
          if (line)
            this.#measured(server_id, container_id, JSON.parse(line) as Sample).then(
              (stats) => stats && !this.#closed && this.#onStats([stats]),
              (error) => this.#context.log.warn({ err: error, server_id }, 'A server could not be measured'),
            );
      });
      stream.on('end', onEnd).on('error', onEnd).on('close', onEnd);
    } catch {
      onEnd(); // ended meanwhile, or Docker is unavailable: refreshed when that changes
    }
  }

  #close(server_id: string): void {
    const watched = this.#watched.get(server_id);
    this.#watched.delete(server_id);
    if (!watched) return;
    watched.closed = true;
    watched.stream?.destroy();
  }

  /** Measures servers without viewers, one after the other; a round that takes longer than its interval goes on. */
  async #others(): Promise<void> {
    if (this.#isRound) return;
    this.#isRound = true;
    try {
      const measured: ServerStats[] = [];
      for await (const stats of this.#measureOthers()) measured.push(stats);
      for (let at = 0; at < measured.length && !this.#closed; at += max_in_message)
        this.#onStats(measured.slice(at, at + max_in_message));
    } finally {
      this.#isRound = false;
    }
  }

  async *#measureOthers(): AsyncGenerator<ServerStats> {
    for (const [server_id, controller] of this.#controllers) {
      const observed = controller.observed;
      if (this.#closed) return;
      if (!observed?.alive || this.#watched.has(server_id) || !this.#context.docker.up()) continue;
      try {
        const container = this.#context.docker.api.getContainer(observed.id);
        const sample = (await container.stats({ stream: false, 'one-shot': true })) as unknown as Sample;
        const stats = await this.#measured(server_id, observed.id, sample);
        if (stats) yield stats;
      } catch {
        // it ended meanwhile, or Docker is unavailable: the next round finds out
      }
    }
  }

  async #measured(server_id: string, container_id: string, sample: Sample): Promise<ServerStats | null> {
    if (this.#closed) return null; // the database is closed
    const spec = this.#controllers.get(server_id)?.stored?.spec;
    const earlier = this.#before.get(server_id);
    this.#before.set(server_id, { container_id, sample });
    const cpu = cpuPercent(earlier?.container_id === container_id ? earlier.sample : null, sample);
    if (!spec || cpu === null) return null;
    const disk_mb = await this.#context.usedMb(server_id);
    if (this.#closed) return null;
    const round = (value: number): number => Math.round(value * 10) / 10;
    return {
      server_id,
      at: this.#context.now(),
      cpu_percent: round(cpu),
      ram_mb: round(usedRamMb(sample)),
      ram_limit_mb: spec.ram_mb,
      // a new server uses only some kilobytes
      disk_mb: Math.round(disk_mb * 1000) / 1000,
      disk_limit_mb: spec.disk_mb,
      ...traffic(sample),
      players: this.#playersOf(server_id),
      tick_ms: this.#controllers.get(server_id)?.tickTime() ?? null,
    };
  }

  /** The count of the last ping; starts a new ping when that is too old. */
  #playersOf(server_id: string): Status | null {
    const controller = this.#controllers.get(server_id);
    if (controller?.power() !== 'running') {
      this.#named.delete(server_id);
      return null;
    }
    const every = this.#watched.has(server_id) ? players_interval_ms : idle_interval_ms;
    const status = controller.players.recent(every);
    return status && this.#withNames(controller, status);
  }

  /** A ping names twelve players at most: a server with viewers is asked for the others, who are named from then on. */
  #withNames({ id, console }: ServerController, status: Status): Status {
    if (status.names.length >= status.online || !this.#watched.has(id)) return status;
    const before = this.#named.get(id);
    const now = this.#context.now();
    const known = before?.online === status.online ? before : null;
    if (!known || now - known.at >= names_interval_ms) {
      const { online } = status;
      this.#named.set(id, { at: now, online, names: known?.names ?? status.names });
      void askForPlayers(console).then((names) => names && this.#named.set(id, { at: now, online, names }));
    }
    return { ...status, names: this.#named.get(id)?.names ?? status.names };
  }
}
