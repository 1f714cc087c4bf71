import type { Db, Pool } from '../postgres/sql.ts';
import type { EventConsumer } from './consumer.ts';
import { cursorOf, type Event, eventsAfter, latestCursor, saveCursor } from './read.ts';

/**
 * A consumer for which events before its first start count as handled. `handle` gets the next events, oldest first, and
 * the transaction that moves the cursor too, so that each event is handled exactly once.
 */
export const transactionalConsumer = (
  sql: Pool,
  name: string,
  handle: (tx: Db, events: readonly Event[]) => Promise<void>,
): EventConsumer =>
  fromNow(sql, name, (events, moveCursor) =>
    sql.begin(async (tx) => {
      await handle(tx, events);
      await moveCursor(tx);
    }),
  );

/**
 * As `transactionalConsumer`, for work that is too long for one transaction: the cursor moves when `handle` has ended,
 * so that a batch may be handled again. `handle` has to write nothing twice.
 */
export const repeatableConsumer = (
  sql: Pool,
  name: string,
  handle: (events: readonly Event[]) => Promise<void>,
): EventConsumer =>
  fromNow(sql, name, async (events, moveCursor) => {
    await handle(events);
    await moveCursor(sql);
  });

function fromNow(
  sql: Pool,
  name: string,
  work: (events: readonly Event[], moveCursor: (db: Db) => Promise<void>) => Promise<unknown>,
): EventConsumer {
  return {
    name,
    async step() {
      const cursor = await cursorOf(sql, name);
      if (!cursor) {
        await saveCursor(sql, name, await latestCursor(sql));
        return 0;
      }
      const events = await eventsAfter(sql, cursor);
      const last = events.at(-1);
      if (!last) return 0;
      await work(events, (db) => saveCursor(db, name, last));
      return events.length;
    },
  };
}
