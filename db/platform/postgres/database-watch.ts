import type pg from 'pg';
import type { Logger } from 'pino';
import { dedicatedClient, endClient } from './dedicated-client.ts';
import { OutageClock, tick_ms } from './outage-clock.ts';
import type { Pool } from './sql.ts';

/** Whether Postgres answers, for what must not wait for it. */
export interface DatabaseState {
  /** The latest moment at which the outage may have begun, by `performance.now`; null while Postgres answers. */
  awaySince(): number | null;
  /** Asks now: resolves with true once Postgres answers, with false once it is known to be away (1.2 s at most). */
  check(): Promise<boolean>;
}

const pause_ms = 400;
const limits = { connect_timeout_ms: 2_000, query_timeout_ms: 2_000 };

/**
 * Asks Postgres every 400 ms, on a connection of its own, whether it is there. It counts as away when it refuses
 * connections, or when no connection of the process has heard anything for a second after a question. So a server that
 * hangs is known to be away after 1.5 s at most, a slow statement is not mistaken for one, and what it does not answer
 * fails at once (`guarded-pool.ts`). Asks on while it is away. Logs the beginning and the end of an outage.
 */
export class DatabaseWatch implements DatabaseState {
  readonly #log: Logger;
  readonly #clock = new OutageClock();
  readonly #closing = new AbortController();
  readonly #onAway: Array<() => void> = [];
  readonly #waiting = new Set<(answers: boolean) => void>();
  #was_away_since: number | null = null;
  #ticks: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #wake = () => {};

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Begins to ask the server of `sql`. */
  start(sql: Pool): void {
    this.#ticks = setInterval(() => {
      this.#clock.tick();
      this.#settle();
    }, tick_ms).unref();
    this.#running = this.#run(sql);
  }

  /** Calls `listener` at the beginning of every outage. */
  onAway(listener: () => void): void {
    this.#onAway.push(listener);
  }

  /** Something arrived from Postgres on a connection of the process. */
  heard(): void {
    this.#clock.heard(performance.now());
  }

  awaySince(): number | null {
    return this.#clock.away_since;
  }

  async check(): Promise<boolean> {
    if (this.awaySince() !== null) return false;
    return await new Promise((go) => {
      this.#waiting.add(go);
      this.#wake();
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#ticks);
    this.#closing.abort();
    this.#wake();
    this.#answer(false);
    await this.#running;
  }

  async #run(sql: Pool): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const client = dedicatedClient(sql, { name: 'watch', ...limits });
      const lost = Promise.withResolvers<never>();
      lost.promise.catch(() => {});
      const end = () => lost.reject(new Error('The connection ended'));
      client.on('error', lost.reject);
      client.once('end', end);
      signal.addEventListener('abort', end);
      const began = await Promise.race([this.#connect(client), lost.promise]).catch(() => false);
      // a connection that is lost later is replaced at once: only the next attempt tells whether the server is there
      if (began) await Promise.race([this.#ask(client), lost.promise]).catch(() => {});
      signal.removeEventListener('abort', end);
      await endClient(client);
      if (!began && !signal.aborted) await this.#pause();
    }
  }

  async #connect(client: pg.Client): Promise<boolean> {
    this.#clock.asked(performance.now());
    const failure = await client.connect().then(
      () => null,
      (error: unknown) => error,
    );
    if (failure) this.#judge(failure);
    return !failure;
  }

  /** Asks on one connection until it is lost. */
  async #ask(client: pg.Client): Promise<never> {
    for (;;) {
      const asked = [...this.#waiting];
      this.#clock.asked(performance.now());
      await client.query('select 1');
      this.#clock.answered(performance.now());
      this.#settle();
      for (const go of asked) if (this.#waiting.delete(go)) go(true);
      if (this.#waiting.size === 0) await this.#pause();
    }
  }

  /** What a failed attempt to connect says. A time-out says nothing that silence does not say. */
  #judge(error: unknown): void {
    if (this.#closing.signal.aborted) return;
    const { code = '', message = '' } = error as { code?: string; message?: string };
    if (message === 'timeout expired') return;
    // 57P01 to 57P03: the server is starting or stopping. Other codes of SQL are answers of a server that works
    if (/^[0-9A-Z]{5}$/.test(code) && !code.startsWith('57P') && !code.startsWith('E')) {
      this.#clock.answered(performance.now());
      this.#answer(true);
    } else this.#clock.refused(performance.now());
    this.#settle();
  }

  /** Tells about the beginning or the end of an outage. */
  #settle(): void {
    const since = this.awaySince();
    if ((since === null) === (this.#was_away_since === null)) return;
    if (since !== null) {
      this.#log.warn('Postgres does not answer; what needs it is refused with 503 until it does');
      for (const listener of this.#onAway) listener();
      this.#answer(false);
    } else {
      const away_ms = Math.round(performance.now() - this.#was_away_since!);
      this.#log.info({ away_ms }, 'Postgres answers again');
    }
    this.#was_away_since = since;
  }

  #answer(answers: boolean): void {
    for (const go of this.#waiting) go(answers);
    this.#waiting.clear();
  }

  async #pause(): Promise<void> {
    await new Promise<void>((go) => {
      const timer = setTimeout(go, pause_ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        go();
      };
    });
  }
}
