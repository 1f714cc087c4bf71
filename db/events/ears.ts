import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Pool } from '../sql.ts';
import { type Cursor, type Event, eventColumns } from './read.ts';
import { tagsOf } from './tags.ts';

/** Told about everything that is committed; each process that keeps answers in memory has its own. */
export interface Ears {
  /** Whether news arrive: a connection of our own hears them. */
  live(): boolean;
  /** Whether nothing has been heard of that was not yet told. */
  calm(): boolean;
  /** Resolves once all that was heard of is told: true; false when the connection broke or a second went by. */
  settled(): Promise<boolean>;
  /** Asks the database now: true once everything that was committed before this call is told. */
  caughtUp(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Listener {
  /** `things` are the tags (`project:ID`, `project:slug`, `user:ID` ...) of what the events are about, in lower case. */
  happened(events: Event[], things: string[]): void;
  /** From now on (or since a moment) events may have been missed. */
  lost(): void;
}

interface Options {
  log: Logger;
  /** Looks without a NOTIFY too, which also shows that the connection lives. */
  poll_ms?: number;
}

const most_events = 5000;
const answer_ms = 3000;

/**
 * Listens on a connection of its own, because only so it knows when it hears nothing. Tells every event at its commit,
 * also one that an older open transaction still hides from careful readers (`after`); what was told already is
 * remembered until the cursor has passed it. Starts with what comes; too much at once counts as lost.
 * Source: design, Seams (Events, Page store).
 */
export function openEars(sql: Pool, listener: Listener, { log, poll_ms = 1000 }: Options): Ears {
  let live = false;
  let stopped = false;
  let heard = 0;
  let told = 0;
  let wake = () => {};
  const waiting = new Set<{ for: number; end: (told: boolean) => void }>();
  const settle = (all: boolean) => {
    for (const one of waiting) {
      if (!all && one.for > told) continue;
      waiting.delete(one);
      one.end(!all);
    }
  };

  async function hear(client: pg.Client): Promise<void> {
    const gone = new Promise<never>((_go, fail) => {
      client.once('error', fail);
      client.once('end', () => fail(new Error('The connection ended')));
    });
    gone.catch(() => {});
    client.on('notification', () => {
      heard += 1;
      wake();
    });
    await Promise.race([client.connect(), gone]);
    await client.query('listen events');
    const told_ids = new Set<number>();
    let cursor = (await client.query<Cursor>(headQuery)).rows[0] ?? { xact: '0', id: 0 };
    live = true;
    while (!stopped) {
      const upTo = heard;
      const { rows } = await Promise.race([
        client.query<Event & { safe: boolean }>(newsQuery, [cursor.xact, cursor.id]),
        gone,
      ]);
      if (rows.length > most_events) throw new Error('Too much happened at once');
      const news = rows.map((row) => ({ ...row, id: Number(row.id) })).filter(({ id }) => !told_ids.has(id));
      if (news.length > 0)
        listener.happened(news as Event[], await Promise.race([tagsOf(client, news as Event[]), gone]));
      for (const { id: text, xact, safe } of rows) {
        const id = Number(text);
        if (safe) cursor = { id, xact };
        if (safe) told_ids.delete(id);
        else told_ids.add(id);
      }
      told = upTo;
      settle(false);
      if (heard > told) continue;
      const news_come = new Promise<void>((go) => {
        wake = go;
      });
      await Promise.race([news_come, wait(poll_ms, undefined, { ref: false }), gone]);
    }
  }

  const running = (async () => {
    for (let pause_ms = 100; !stopped; pause_ms = Math.min(5000, pause_ms * 2)) {
      const client = new pg.Client({
        ...connectionOf(sql),
        connectionTimeoutMillis: 5000,
        query_timeout: answer_ms,
      });
      client.on('error', () => {});
      const begun = Date.now();
      try {
        await hear(client);
      } catch (error) {
        if (!stopped)
          log.warn(
            { err: error },
            'News from the database stopped; nothing is answered from memory until they come again',
          );
      }
      live = false;
      if (!stopped) listener.lost();
      told = heard;
      settle(true);
      await client.end().catch(() => {});
      if (Date.now() - begun > 10_000) pause_ms = 100;
      if (!stopped) await wait(pause_ms);
    }
  })();

  function settled(): Promise<boolean> {
    if (!live) return Promise.resolve(false);
    if (told === heard) return Promise.resolve(true);
    return new Promise((go) => {
      const one = { for: heard, end: go };
      waiting.add(one);
      setTimeout(() => {
        if (waiting.delete(one)) go(false);
      }, 1000).unref();
    });
  }

  return {
    live: () => live,
    calm: () => told === heard,
    settled,
    caughtUp() {
      heard += 1;
      wake();
      return settled();
    },
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

const headQuery = `
  select xact::text, id::int8 from events where xact < pg_snapshot_xmin(pg_current_snapshot())
  order by events.xact desc, events.id desc limit 1`;

const newsQuery = `
  select ${eventColumns.filter((column) => column !== 'created').join(', ')}, created::text, xact::text,
    xact < pg_snapshot_xmin(pg_current_snapshot()) as safe
  from events where (events.xact, id) > ($1::xid8, $2::int8)
  order by events.xact, id limit ${most_events + 1}`;

/** Where the pool goes, in the words of `pg`: postgres.js does not say when its listening connection is gone. */
export function connectionOf(sql: Pool): pg.ClientConfig {
  const { host, port, database, user, pass, ssl } = sql.options as unknown as Record<string, unknown> & {
    host: string[];
    port: number[];
  };
  return {
    host: host[0],
    port: port[0],
    database,
    user,
    ...(pass ? { password: pass } : {}),
    ...(ssl ? { ssl: ssl === 'require' ? { rejectUnauthorized: false } : ssl } : {}),
    application_name: 'cairn news',
  } as pg.ClientConfig;
}
