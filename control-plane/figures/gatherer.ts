import type { Minute } from '#db/hosting/servers/figures/write.ts';
import type { ServerStats } from '../protocol/console.ts';

const minute_ms = 60_000;
/** Counters of traffic this far apart say nothing about one minute. */
const max_apart_ms = 90_000;

interface Gathering {
  at: number;
  samples: number;
  cpu: number;
  cpu_most: number;
  ram_mb: number;
  disk_mb: number;
  received: number;
  sent: number;
  /** Milliseconds between the samples whose traffic is counted. */
  traffic_ms: number;
  tick_ms: number;
  ticks: number;
  players: number | null;
}

interface Counters {
  at: number;
  rx_bytes: number;
  tx_bytes: number;
}

/**
 * Makes minutes of the samples that agents send. Minutes are those of this process: the clock of a node may be wrong by
 * hours.
 */
export class FigureGatherer {
  readonly #open = new Map<string, Gathering>();
  readonly #counters = new Map<string, Counters>();
  #done: Minute[] = [];

  add(stats: ServerStats, now: number): void {
    const { server_id } = stats;
    const at = Math.floor(now / minute_ms) * minute_ms;
    let open = this.#open.get(server_id);
    if (open && open.at !== at) {
      this.#close(server_id, open);
      open = undefined;
    }
    open ??= {
      ...{ at, samples: 0, cpu: 0, cpu_most: 0, ram_mb: 0, disk_mb: 0, received: 0, sent: 0 },
      ...{ traffic_ms: 0, tick_ms: 0, ticks: 0, players: null },
    };
    this.#open.set(server_id, open);
    open.samples += 1;
    open.cpu += stats.cpu_percent;
    open.cpu_most = Math.max(open.cpu_most, stats.cpu_percent);
    open.ram_mb += stats.ram_mb;
    open.disk_mb = stats.disk_mb;
    if (typeof stats.tick_ms === 'number') {
      open.tick_ms += stats.tick_ms;
      open.ticks += 1;
    }
    if (stats.players) open.players = Math.max(open.players ?? 0, stats.players.online);
    this.#addTraffic(open, stats, now);
  }

  /** A process that starts again counts from zero. */
  #addTraffic(open: Gathering, { server_id, rx_bytes, tx_bytes }: ServerStats, now: number): void {
    const before = this.#counters.get(server_id);
    this.#counters.set(server_id, { at: now, rx_bytes, tx_bytes });
    if (!before || now - before.at > max_apart_ms || now <= before.at) return;
    if (rx_bytes < before.rx_bytes || tx_bytes < before.tx_bytes) return;
    open.received += rx_bytes - before.rx_bytes;
    open.sent += tx_bytes - before.tx_bytes;
    open.traffic_ms += now - before.at;
  }

  #close(server_id: string, open: Gathering): void {
    this.#open.delete(server_id);
    const { at, samples, disk_mb, cpu_most, players, ticks } = open;
    const perSecond = (bytes: number) => (open.traffic_ms > 0 ? (bytes * 1000) / open.traffic_ms : 0);
    this.#done.push({
      ...{ server_id, at, samples, disk_mb, cpu_most, players },
      cpu: open.cpu / samples,
      ram_mb: open.ram_mb / samples,
      received: perSecond(open.received),
      sent: perSecond(open.sent),
      tick_ms: ticks > 0 ? open.tick_ms / ticks : null,
    });
  }

  /** Takes the minutes that are over at `now`; with Infinity also those that go on. */
  take(now: number): Minute[] {
    const current = Math.floor(now / minute_ms) * minute_ms;
    for (const [server_id, open] of this.#open) if (open.at < current) this.#close(server_id, open);
    for (const [server_id, { at }] of this.#counters)
      if (now - at > max_apart_ms) this.#counters.delete(server_id);
    const done = this.#done;
    this.#done = [];
    return done;
  }
}
