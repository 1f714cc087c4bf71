import type { Readable } from 'node:stream';
import type { ServerStats } from '#control/protocol/console.ts';
import type { AgentContext } from '../context.ts';
import { cpuPercent, type Sample, traffic, usedRamMb } from '../docker/container-stats.ts';
import type { ServerController } from './controller.ts';
import type { Status } from './status-ping.ts';

/** How often a server without viewers is measured, and how often players are counted on one with viewers. */
const idle_interval_ms = 15_000;
const players_interval_ms = 5_000;

interface Watched {
  container_id: string;
  stream: Readable | null;
  closed: boolean;
}

/**
 * Measures running servers: those with viewers once a second, as Docker samples, the others every 15 s. A sample is
 * given to `onStats` and not stored.
 */
export class Stats {
  readonly #context: AgentContext;
  readonly #controllers: ReadonlyMap<string, ServerController>;
  readonly #onStats: (stats: ServerStats) => void;
  readonly #watched = new Map<string, Watched>();
  readonly #before = new Map<string, { container_id: string; sample: Sample }>();
  #watched_ids = new Set<string>();
  #timer: NodeJS.Timeout;
  #closed = false;

  constructor(
    context: AgentContext,
    controllers: ReadonlyMap<string, ServerController>,
    take: (stats: ServerStats) => void,
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
            this.#measured(server_id, container_id, JSON.parse(line) as Sample).catch((error) =>
              this.#context.log.warn({ err: error, server_id }, 'A server could not be measured'),
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

  /** Measures servers without viewers, one after the other. */
  async #others(): Promise<void> {
    for (const [server_id, controller] of this.#controllers) {
      const observed = controller.observed;
      if (this.#closed) return;
      if (!observed?.alive || this.#watched.has(server_id) || !this.#context.docker.up()) continue;
      try {
        const container = this.#context.docker.api.getContainer(observed.id);
        const sample = (await container.stats({ stream: false, 'one-shot': true })) as unknown as Sample;
        await this.#measured(server_id, observed.id, sample);
      } catch {
        // it ended meanwhile, or Docker is unavailable: the next round finds out
      }
    }
  }

  async #measured(server_id: string, container_id: string, sample: Sample): Promise<void> {
    if (this.#closed) return; // the database is closed
    const spec = this.#controllers.get(server_id)?.stored?.spec;
    const earlier = this.#before.get(server_id);
    this.#before.set(server_id, { container_id, sample });
    const cpu = cpuPercent(earlier?.container_id === container_id ? earlier.sample : null, sample);
    if (!spec || cpu === null) return;
    const disk_mb = await this.#context.usedMb(server_id);
    if (this.#closed) return;
    const round = (value: number): number => Math.round(value * 10) / 10;
    this.#onStats({
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
    });
  }

  /** The count of the last ping; starts a new ping when that is too old. */
  #playersOf(server_id: string): Status | null {
    const controller = this.#controllers.get(server_id);
    if (controller?.power() !== 'running') return null;
    return controller.players.recent(this.#watched.has(server_id) ? players_interval_ms : idle_interval_ms);
  }
}
