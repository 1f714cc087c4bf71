import type { Logger } from 'pino';
import { PgSubscription } from '../../../platform/events/pg-subscription.ts';
import type { Pool } from '../../../platform/postgres/sql.ts';

/**
 * Wakes the index sync. `notifySoon` waits a moment, so that simultaneous changes are handled together; `notify` wakes
 * at once. A notification that nobody waited for ends the next wait at once.
 */
export class Wakeup {
  readonly #gather_ms: number;
  #rung = false;
  #wake: (() => void) | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #subscription: PgSubscription | null = null;

  constructor(gather_ms: number) {
    this.#gather_ms = gather_ms;
  }

  readonly notify = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  readonly notifySoon = (): void => {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.notify();
    }, this.#gather_ms);
  };

  /** Notifies on events and new snapshots from now on, and after every reconnect. Idempotent. */
  async listen(sql: Pool, log: Logger): Promise<void> {
    this.#subscription ??= new PgSubscription(sql, {
      name: 'search',
      log,
      channels: ['events', 'search_snapshot'],
      onChange: (channel) => (channel === 'events' ? this.notifySoon() : this.notify()),
      onReconnect: this.notify,
    });
    await this.#subscription.ready;
  }

  /** Resolves at the next notification, or after `ms`. */
  async next(ms: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((go) => {
        const clock = setTimeout(go, ms);
        this.#wake = () => {
          clearTimeout(clock);
          go();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }

  async close(): Promise<void> {
    clearTimeout(this.#gathering);
    await this.#subscription?.close();
  }
}
