import type { Pool } from '../../../platform/postgres/sql.ts';
import type { BackupSettings } from '../backups/begin.ts';
import { openChange } from '../content/open-change.ts';
import { advanceChange } from './steps.ts';

/**
 * Goes on with the change of a server after anything that it waits for. Every control plane calls it for every change and a
 * job from time to time: the row of the server is locked, and each step is made once.
 */
export async function settleChanges(
  sql: Pool,
  server_id: string,
  settings: BackupSettings,
  now: Date,
): Promise<void> {
  if (!(await openChange(sql, server_id))) return;
  await sql.begin(async (tx) => {
    await tx`select 1 from servers where id = ${server_id} for update`;
    const change = await openChange(tx, server_id);
    if (change) await advanceChange(tx, change, settings, now);
  });
}
