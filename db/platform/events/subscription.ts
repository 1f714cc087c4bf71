import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Pool } from '../postgres/sql.ts';
import { PgSubscription, type SubscriptionConnection } from './pg-subscription.ts';
import { type Cursor, type Event, eventColumns } from './read.ts';
import { tagsOf } from './tags.ts';

/** A live subscription to committed events; every process with an in-memory cache has one. */
export interface EventSubscription {
  /** Whether the connection is open and events arrive. */
  isConnected(): boolean;
  /**
   * Every event committed before this moment is delivered, by the clock of `performance.now`; -Infinity before the first
   * answer of the database. While the connection is lost it stays where it was.
   */
  confirmedAt(): number;
  /** Whether all received events are delivered. */
  isDrained(): boolean;
  /**
   * Resolves with true once all received events are delivered, with false when the connection was lost or a second
   * passed.
   */
  drained(): Promise<boolean>;
  /** Reads the database now; resolves with true once everything committed before this call is delivered. */
  sync(): Promise<boolean>;
  stop(): Promise<void>;
}

interface SubscriptionListener {
  /**
   * `things` are the tags (`project:ID`, `project:slug`, `user:ID` ...) of the subjects of the events, in lower case.
   */
  onEvents(events: Event[], tags: string[]): void;
  /** Called when the connection is there again and events may have been missed: drop cached data. */
  onGap(): void;
  /** Called each time events begin to arrive, also the first time: what was read before may miss some. */
  onConnected?(): void;
  /** Called after a lost connection and after every failed attempt to connect: no events arrive from now on. */
  onDisconnect?(): void;
}

interface SubscriptionOptions {
  log: Logger;
  /** Poll interval without a NOTIFY; polling also tests the connection and confirms that no event is missing. */
  poll_ms?: number;
}

const max_batch = 5000;

/**
 * Delivers every event at its commit, even one that an older open transaction still hides from consumers (`after`). It
 * remembers delivered events until the cursor has passed them. Starts with new events; too many at once count as a
 * gap. Source: design §4.1, §4.3.
 */
export function subscribe(
  sql: Pool,
  listener: SubscriptionListener,
  { log, poll_ms = 1000 }: SubscriptionOptions,
): EventSubscription {
  let connected = false;
  let confirmed_at = Number.NEGATIVE_INFINITY;
  let received = 0;
  let delivered = 0;
  let wake = () => {};
  const waiting = new Set<{ for: number; end: (told: boolean) => void }>();
  const resolveWaiting = (all: boolean) => {
    for (const one of waiting) {
      if (!all && one.for > delivered) continue;
      waiting.delete(one);
      one.end(!all);
    }
  };

  async function read({ client, orLost }: SubscriptionConnection): Promise<never> {
    const delivered_ids = new Set<number>();
    let asked_at = performance.now();
    let cursor = (await orLost(client.query<Cursor>(headQuery))).rows[0] ?? { xact: '0', id: 0 };
    if (confirmed_at > Number.NEGATIVE_INFINITY) listener.onGap();
    connected = true;
    confirmed_at = asked_at;
    listener.onConnected?.();
    for (;;) {
      const upTo = received;
      asked_at = performance.now();
      const { rows } = await orLost(
        client.query<Event & { safe: boolean }>(changesQuery, [cursor.xact, cursor.id]),
      );
      if (rows.length > max_batch) throw new Error('Too many events at once');
      const fresh_events = rows
        .map((row) => ({ ...row, id: Number(row.id) }))
        .filter(({ id }) => !delivered_ids.has(id));
      if (fresh_events.length > 0)
        listener.onEvents(fresh_events as Event[], await orLost(tagsOf(client, fresh_events as Event[])));
      for (const { id: text, xact, safe } of rows) {
        const id = Number(text);
        if (safe) cursor = { id, xact };
        if (safe) delivered_ids.delete(id);
        else delivered_ids.add(id);
      }
      delivered = upTo;
      confirmed_at = asked_at;
      resolveWaiting(false);
      if (received > delivered) continue;
      const notified = new Promise<void>((go) => {
        wake = go;
      });
      await orLost(Promise.race([notified, wait(poll_ms, undefined, { ref: false })]));
    }
  }

  const end = () => {
    connected = false;
    delivered = received;
    resolveWaiting(true);
  };
  const subscription = new PgSubscription(sql, {
    name: 'events',
    log,
    channels: ['events'],
    onChange() {
      received += 1;
      wake();
    },
    onDisconnect() {
      end();
      listener.onDisconnect?.();
    },
    work: read,
  });

  function drained(): Promise<boolean> {
    if (!connected) return Promise.resolve(false);
    if (delivered === received) return Promise.resolve(true);
    return new Promise((go) => {
      const one = { for: received, end: go };
      waiting.add(one);
      setTimeout(() => {
        if (waiting.delete(one)) go(false);
      }, 1000).unref();
    });
  }

  return {
    isConnected: () => connected,
    confirmedAt: () => confirmed_at,
    isDrained: () => delivered === received,
    drained,
    sync() {
      received += 1;
      wake();
      return drained();
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

const changesQuery = `
  select ${eventColumns.filter((column) => column !== 'created').join(', ')}, created::text, xact::text,
    xact < pg_snapshot_xmin(pg_current_snapshot()) as safe
  from events where (events.xact, id) > ($1::xid8, $2::int8)
  order by events.xact, id limit ${max_batch + 1}`;
