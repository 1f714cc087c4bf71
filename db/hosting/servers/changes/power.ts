import { assertAllowed } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { isChanging } from '../content/open-change.ts';

/**
 * What a power action means for a change in progress, whose files must not be in use: starts are refused with `server_busy`,
 * and whoever stops the server has the last word. The row of the server is locked.
 */
export async function onPowerDuringChange(db: Db, server_id: string, action: string): Promise<void> {
  if (action === 'kill' || !(await isChanging(db, server_id))) return;
  assertAllowed(action === 'stop' ? null : 'server_busy', { by: 'content_change' });
  await db`update server_changes set starts = false where server_id = ${server_id} and ended is null`;
}
