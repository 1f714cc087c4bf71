import { pino } from 'pino';
import { openQueue } from '../db/platform/jobs/queue.ts';
import type { Pool } from '../db/platform/postgres/sql.ts';
import { databaseAddress, withDatabase } from './database.ts';

/**
 * Ends a paid period now: moves its end in the database of the product that the browser tests run on, and processes due
 * payments at once instead of at the next full minute.
 */
const endNow = (what: string, move: (sql: Pool, now: Date) => Promise<{ count: number }>): Promise<void> =>
  withDatabase(async (sql) => {
    const board = await openQueue(databaseAddress(), pino({ level: 'warn' }));
    try {
      const moved = await move(sql, new Date());
      if (moved.count !== 1) throw new Error(`${what} has no subscription`);
      await board.enqueue(sql, 'run_billing', {});
    } finally {
      await board.close();
    }
  });

/** Ends the paid period of a server now. */
export const endPeriod = (server_id: string): Promise<void> =>
  endNow(
    server_id,
    (sql, now) => sql`update subscriptions set period_end = ${now} where server_id = ${server_id}`,
  );

/** Ends the paid period of somebody's Plus now. */
export const endPlusPeriod = (username: string): Promise<void> =>
  endNow(
    username,
    (sql, now) => sql`
      update subscriptions u set period_end = ${now} from users p
      where p.id = u.user_id and p.username = ${username} and u.product = 'plus' and u.state <> 'ended'`,
  );
