import { assertAllowed } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';

/**
 * What a power action means for a restore in progress, whose files must not be in use: starts are refused with
 * `server_busy`, and whoever stops the server has the last word. The row of the server is locked.
 */
export async function onPowerRequested(db: Db, server_id: string, action: string): Promise<void> {
  const [restore] = await db`
    select 1 from server_restores where server_id = ${server_id} and ended is null`;
  if (!restore || action === 'kill') return;
  assertAllowed(action === 'stop' ? null : 'server_busy', { by: 'backup_restore' });
  await db`update server_restores set starts = false where server_id = ${server_id} and ended is null`;
}
