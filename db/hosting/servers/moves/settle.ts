import type { Pool } from '../../../platform/postgres/sql.ts';
import { openMove } from './read.ts';
import { advanceMove } from './steps.ts';

/**
 * Goes on with the move of a server after anything that it waits for. Every control plane calls it for every change and a
 * job from time to time: the row of the server is locked, and each step is made once.
 */
export async function settleMove(sql: Pool, server_id: string, now: Date): Promise<void> {
  if (!(await openMove(sql, server_id))) return;
  await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const move = await openMove(tx, server_id);
    if (move) await advanceMove(tx, move, now);
  });
}
