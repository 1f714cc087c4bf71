import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../sql.ts';
import { PgSubscription, type SubscriptionConnection } from './pg-subscription.ts';
import { type Cursor, type Event, eventColumns } from './read.ts';
import { tagsOf } from './tags.ts';

/** Receives everything that is committed; each process that keeps answers in memory has its own. */
export interface Ears {
  /** Whether events arrive: the connection is open. */
  live(): boolean;
  /** Whether every event that was received is delivered. */
  calm(): boolean;
  /** True once all that was received is delivered; false when the connection was lost or a second went by. */
  settled(): Promise<boolean>;
  /** Reads the database now: true once everything that was committed before this call is delivered. */
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
  /** Reads without a NOTIFY too, which also tests the connection. */
  poll_ms?: number;
}

const most_events = 5000;

/**
 * Delivers every event at its commit, also one that an older open transaction still hides from careful readers
 * (`after`); what was delivered already is remembered until the cursor has passed it. Starts with new events; too many
 * at once count as lost. Source: design, Seams (Events, Page store).
 */
export function openEars(sql: Pool, listener: Listener, { log, poll_ms = 1000 }: Options): Ears {
  let live = false;
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

  async function read({ client, orLost }: SubscriptionConnection): Promise<never> {
    const told_ids = new Set<number>();
    let cursor = (await orLost(client.query<Cursor>(headQuery))).rows[0] ?? { xact: '0', id: 0 };
    live = true;
    for (;;) {
      const upTo = heard;
      const { rows } = await orLost(
        client.query<Event & { safe: boolean }>(newsQuery, [cursor.xact, cursor.id]),
      );
      if (rows.length > most_events) throw new Error('Too much happened at once');
      const news = rows.map((row) => ({ ...row, id: Number(row.id) })).filter(({ id }) => !told_ids.has(id));
      if (news.length > 0) listener.happened(news as Event[], await orLost(tagsOf(client, news as Event[])));
      for (const { id: text, xact, safe } of rows) {
        const id = Number(text);
        if (safe) cursor = { id, xact };
        if (safe) told_ids.delete(id);
        else told_ids.add(id);
      }
      told = upTo;
      settle(false);
      if (heard > told) continue;
      const notified = new Promise<void>((go) => {
        wake = go;
      });
      await orLost(Promise.race([notified, wait(poll_ms, undefined, { ref: false })]));
    }
  }

  const end = () => {
    live = false;
    told = heard;
    settle(true);
  };
  const subscription = new PgSubscription(sql, {
    name: 'events',
    log,
    channels: ['events'],
    onChange() {
      heard += 1;
      wake();
    },
    onDisconnect() {
      live = false;
      listener.lost();
      end();
    },
    work: read,
  });

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
      await subscription.close();
      end();
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
