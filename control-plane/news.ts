import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { connectionOf } from '#db/events/ears.ts';
import type { Pool } from '#db/sql.ts';

interface Listener {
  /** Something changed: `server:ID`, `node:ID`, `op:ID`, `notices`, `rights`. */
  heard(what: string): void;
  /** News come from now on; what happened before may have been missed, so everything is looked at again. */
  fresh(): void;
}

export interface News {
  /** Resolves when news come. */
  ready: Promise<void>;
  /** Whether news come now, as far as is known. */
  readonly hears: boolean;
  stop(): Promise<void>;
}

const look_ms = 5_000;
const answer_ms = 3_000;

/**
 * Listens on the channel `hosting` with a connection of its own, since only so it knows when it hears nothing; asks
 * from time to time whether that connection still lives, and connects again when it does not. Source: brief, migration 0100.
 */
export function openNews(sql: Pool, listener: Listener, log: Logger): News {
  let stopped = false;
  let hears = false;
  let first = () => {};
  const ready = new Promise<void>((go) => {
    first = go;
  });
  let end = () => {};
  const ended = new Promise<void>((go) => {
    end = go;
  });

  async function hear(client: pg.Client): Promise<void> {
    const gone = new Promise<never>((_go, fail) => {
      client.once('error', fail);
      client.once('end', () => fail(new Error('The connection ended')));
    });
    gone.catch(() => {});
    client.on('notification', ({ payload }) => listener.heard(payload ?? ''));
    await Promise.race([client.connect(), gone]);
    await Promise.race([client.query('listen hosting'), gone]);
    hears = true;
    listener.fresh();
    first();
    while (!stopped) {
      await Promise.race([wait(look_ms, undefined, { ref: false }), gone, ended]);
      if (!stopped) await Promise.race([client.query('select 1'), gone]);
    }
  }

  const running = (async () => {
    for (let pause_ms = 100; !stopped; pause_ms = Math.min(3_000, pause_ms * 2)) {
      const client = new pg.Client({
        ...connectionOf(sql),
        connectionTimeoutMillis: 5_000,
        query_timeout: answer_ms,
      });
      client.on('error', () => {});
      const begun = Date.now();
      await hear(client).catch((err) => {
        hears = false;
        if (!stopped) log.warn({ err }, 'News about servers stopped; they are listened for again');
      });
      await client.end().catch(() => {});
      if (Date.now() - begun > 10_000) pause_ms = 100;
      if (!stopped) await Promise.race([wait(pause_ms), ended]);
    }
  })();

  return {
    ready,
    get hears() {
      return hears;
    },
    async stop() {
      stopped = true;
      end();
      await running;
    },
  };
}
