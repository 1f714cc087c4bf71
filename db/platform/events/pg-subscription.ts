import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { dedicatedClient, endClient } from '../postgres/dedicated-client.ts';
import type { Pool } from '../postgres/sql.ts';
import { retry } from '../runtime/retry.ts';

/** The connection of a subscription, for work that must know when it is lost. */
export interface SubscriptionConnection {
  client: pg.Client;
  /** Settles like `promise`, or rejects when the connection is lost first. */
  orLost<T>(promise: Promise<T>): Promise<T>;
}

interface Options {
  /** Name of the subscription in logs and in Postgres. */
  name: string;
  log: Logger;
  channels: readonly string[];
  onChange(channel: string, payload: string): void;
  /**
   * Called after each (re)connect, also the first: notifications arrive from now on, earlier ones may have been
   * missed.
   */
  onReconnect?(): void;
  /** Called after a lost connection and after every failed attempt. */
  onDisconnect?(): void;
  /** Runs while the connection is open. Default: a health check every few seconds. */
  work?(connection: SubscriptionConnection): Promise<void>;
}

const ping_ms = 5_000;
const limits = { query_timeout_ms: 3_000, connect_timeout_ms: 5_000 };
const max_pause_ms = 3_000;
/** A connection that lasted this long resets the backoff. */
const stable_ms = 10_000;

/**
 * Subscribes to Postgres channels (LISTEN) on a dedicated connection, which makes a lost connection detectable, and
 * reconnects with backoff.
 */
export class PgSubscription {
  /** Resolves on the first connection. */
  readonly ready: Promise<void>;
  #isConnected = false;
  readonly #sql: Pool;
  readonly #options: Options;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #markReady = () => {};

  constructor(sql: Pool, options: Options) {
    this.#sql = sql;
    this.#options = options;
    this.ready = new Promise((done) => {
      this.#markReady = done;
    });
    this.#running = this.#run().catch(() => {});
  }

  /** Whether the connection is open, as far as known. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { name, log } = this.#options;
    while (!signal.aborted)
      await retry(() => this.#session(), {
        ...{ signal, max_ms: max_pause_ms },
        onFailure: (err) =>
          log.warn(
            { err, subscription: name },
            'Lost the connection for Postgres notifications; reconnecting',
          ),
      });
  }

  /** One connection, until it is lost. Throws unless it was stable. */
  async #session(): Promise<void> {
    const { channels, onChange, onReconnect, onDisconnect, work = ping } = this.#options;
    const { signal } = this.#closing;
    const client = dedicatedClient(this.#sql, { name: this.#options.name, ...limits });
    const { promise: ended, reject: end } = Promise.withResolvers<never>();
    ended.catch(() => {});
    client.on('error', end);
    client.once('end', () => end(new Error('The connection ended')));
    signal.addEventListener('abort', () => end(signal.reason), { once: true });
    client.on('notification', ({ channel, payload }) => onChange(channel, payload ?? ''));
    const orLost = <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, ended]);
    const started_at = performance.now();
    try {
      await orLost(client.connect());
      for (const channel of channels)
        await orLost(client.query(`listen ${client.escapeIdentifier(channel)}`));
      this.#isConnected = true;
      onReconnect?.();
      this.#markReady();
      await work({ client, orLost });
    } catch (error) {
      if (performance.now() - started_at < stable_ms || signal.aborted) throw error;
      this.#options.log.warn(
        { err: error, subscription: this.#options.name },
        'Subscription to Postgres notifications ended',
      );
    } finally {
      this.#isConnected = false;
      if (!signal.aborted) onDisconnect?.();
      await endClient(client);
    }
  }
}

/** Detects a dead connection that was not closed. */
async function ping({ client, orLost }: SubscriptionConnection): Promise<never> {
  for (;;) {
    await orLost(wait(ping_ms, undefined, { ref: false }));
    await orLost(client.query('select 1'));
  }
}
