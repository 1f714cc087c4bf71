import { pino } from 'pino';
import { embeddedPostgresAddress } from '../db/embedded-postgres.ts';
import { openQueue } from '../db/jobs/queue.ts';
import { connect } from '../db/sql.ts';

/**
 * Ends the paid period of a server now: moves its end in the database of the product that the browser tests run on, and
 * processes due payments at once instead of at the next full minute.
 */
export async function endPeriod(server_id: string): Promise<void> {
  const address = embeddedPostgresAddress('.tmp/e2e');
  const sql = connect({ address, max: 1 });
  const board = await openQueue(address, pino({ level: 'warn' }));
  try {
    const now = new Date();
    const moved = await sql`update subscriptions set period_end = ${now} where server_id = ${server_id}`;
    if (moved.count !== 1) throw new Error(`${server_id} has no subscription`);
    await board.enqueue(sql, 'run_billing', {});
  } finally {
    await board.close();
    await sql.end();
  }
}
