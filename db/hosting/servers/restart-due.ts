import type { Db } from '../../platform/postgres/sql.ts';

/** Says that a running server takes a change with its next start only; a server that is down takes it anyway. */
export async function markRestartDue(db: Db, server_id: string): Promise<void> {
  await db`
    update servers set seen = seen || '{"restart_due": true}'
    where id = ${server_id} and power in ('starting', 'running', 'stopping')`;
}
