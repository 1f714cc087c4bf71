import type { ServerStats } from '../protocol/console.ts';

/** How long samples are kept: what a panel draws. */
const kept_ms = 60_000;

/** The samples of the last minute of every server that is measured, by the clock of this process. */
export class StatsHistory {
  readonly #now: () => number;
  /** Samples oldest first; the server measured last is at the end. */
  readonly #samples = new Map<string, { received: number; stats: ServerStats }[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(stats: ServerStats): void {
    const received = this.#now();
    const before = (this.#samples.get(stats.server_id) ?? []).filter(
      (one) => received - one.received < kept_ms,
    );
    this.#samples.delete(stats.server_id);
    this.#samples.set(stats.server_id, [...before, { received, stats }]);
    for (const [id, samples] of this.#samples) {
      if (received - samples.at(-1)!.received < kept_ms) break;
      this.#samples.delete(id);
    }
  }

  /** The last minute of a server, oldest first; none when it was not measured. */
  of(server_id: string): ServerStats[] {
    const now = this.#now();
    const samples = this.#samples.get(server_id) ?? [];
    return samples.filter(({ received }) => now - received < kept_ms).map(({ stats }) => stats);
  }
}
