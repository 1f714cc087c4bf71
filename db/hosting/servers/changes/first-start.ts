import type { Db } from '../../../platform/postgres/sql.ts';
import type { Power } from '../rules.ts';

/**
 * Follows the first start after the newest change of a server: one that crashes before it runs is the reason to take the
 * change back.
 */
export async function observeFirstStart(db: Db, server_id: string, power: Power): Promise<void> {
  const moves = {
    starting: [null, 'begun'],
    running: ['begun', 'ok'],
    crashed: ['begun', 'failed'],
  } as const;
  const move = Object.hasOwn(moves, power) ? moves[power as keyof typeof moves] : null;
  if (!move) return;
  const [from, to] = move;
  await db`
    update server_tasks set data = data || ${db.json({ first_start: to })}
    where data->>'first_start' is not distinct from ${from} and id = (
      select id from server_tasks where server_id = ${server_id} and kind = 'change' and step in ('starting', 'done')
      order by began desc limit 1)`;
}
