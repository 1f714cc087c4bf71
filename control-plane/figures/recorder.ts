import { type Minute, storeMinutes } from '#db/hosting/servers/figures/write.ts';
import type { PlaneContext } from '../context.ts';
import type { ServerStats } from '../protocol/console.ts';
import { FigureGatherer } from './gatherer.ts';

/** Looks so often whether a minute is over. */
const look_ms = 5_000;
/** A minute that Postgres does not take is kept for less than it may be late (`roll-up.ts`); then it is lost, and counted. */
const max_kept = 60;

/**
 * Stores what servers use: one statement for each minute of this plane. While Postgres is away minutes wait here, an hour at
 * most.
 */
export class FigureRecorder {
  readonly #context: Pick<PlaneContext, 'sql' | 'log' | 'now'>;
  readonly #gatherer = new FigureGatherer();
  readonly #timer: NodeJS.Timeout;
  #waiting: Minute[][] = [];
  #storing: Promise<void> | null = null;
  /** Minutes of servers that were stored, and those that were given up, since the start. */
  readonly counts = { stored: 0, lost: 0 };

  constructor(context: Pick<PlaneContext, 'sql' | 'log' | 'now'>) {
    this.#context = context;
    this.#timer = setInterval(() => void this.store(), look_ms).unref();
  }

  add(stats: ServerStats): void {
    this.#gatherer.add(stats, this.#context.now().getTime());
  }

  /** Stores the minutes that are over. */
  async store(now = this.#context.now().getTime()): Promise<void> {
    const minutes = this.#gatherer.take(now);
    if (minutes.length > 0) this.#waiting.push(minutes);
    for (const lost of this.#waiting.splice(0, Math.max(0, this.#waiting.length - max_kept)))
      this.counts.lost += lost.length;
    this.#storing ??= this.#storeWaiting().finally(() => {
      this.#storing = null;
    });
    await this.#storing;
  }

  async #storeWaiting(): Promise<void> {
    for (let minutes = this.#waiting[0]; minutes; minutes = this.#waiting[0]) {
      try {
        await storeMinutes(this.#context.sql, minutes);
      } catch (err) {
        this.#context.log.warn({ err, servers: minutes.length }, 'Figures could not be stored, will retry');
        return;
      }
      this.#waiting.shift();
      this.counts.stored += minutes.length;
    }
  }

  /** Stores the minute that goes on too: its rest comes from another plane, or this one after a restart. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.store(Number.POSITIVE_INFINITY);
  }
}
