import type { Pool } from '../../sql.ts';

/**
 * Wakes the keeper. `heard` rings a little later, so that what happens together is handled together; `ring` rings at
 * once. A ring that nobody waited for lets the next one who waits pass.
 */
export class Bell {
  readonly #gather_ms: number;
  #rung = false;
  #wake: (() => void) | null = null;
  #gathering: NodeJS.Timeout | undefined;
  #unlisten: Array<() => Promise<void>> | null = null;

  constructor(gather_ms: number) {
    this.#gather_ms = gather_ms;
  }

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  readonly heard = (): void => {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.ring();
    }, this.#gather_ms);
  };

  /** Hears events and new snapshots from now on; a connection that comes back rings too. Once is enough. */
  async listen(sql: Pool): Promise<void> {
    if (this.#unlisten) return;
    const events = await sql.listen('events', this.heard, this.heard);
    const snapshots = await sql.listen('search_snapshot', this.ring, this.ring);
    this.#unlisten = [events.unlisten, snapshots.unlisten];
  }

  /** Resolves at the next ring, or after `ms`. */
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

  async silence(): Promise<void> {
    clearTimeout(this.#gathering);
    await Promise.all((this.#unlisten ?? []).map((end) => end()));
  }
}
