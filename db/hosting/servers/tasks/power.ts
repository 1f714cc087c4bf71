import { assertAllowed } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { isChanging, openKinds, type Task } from './rows.ts';

/** What tasks want of the power of their server, and what its users may want meanwhile. The row of the server is locked. */

export const turnOff = (db: Db, server_id: string) => db`
  update servers set power_wanted = 'off', generation = generation + 1 where id = ${server_id}`;

/** A server that ran is started again; whoever stopped it meanwhile has the last word. */
export const turnOnAgain = (db: Db, { server_id, starts }: Pick<Task, 'server_id' | 'starts'>) => db`
  update servers set power_wanted = 'on', generation = generation + 1
  where id = ${server_id} and ${starts} and power_wanted = 'off' and lifecycle in ('ready', 'upgrading')`;

/** Its last observed state, also while its node is away: what does not run cannot start before the agent is told to. */
export async function isStopped(db: Db, server_id: string): Promise<boolean> {
  const [row] = await db`select 1 from servers where id = ${server_id} and power in ('stopped', 'crashed')`;
  return row !== undefined;
}

/**
 * What a power action means for a restore or a change in progress, whose files must not be in use: starts are refused with
 * `server_busy`, and whoever stops the server has the last word.
 */
export async function onPowerRequested(db: Db, server_id: string, action: string): Promise<void> {
  if (action === 'kill') return;
  const restores = (await openKinds(db, server_id)).has('restore');
  if (!restores && !(await isChanging(db, server_id))) return;
  const by = restores ? 'backup_restore' : 'content_change';
  assertAllowed(action === 'stop' ? null : 'server_busy', { by });
  await db`
    update server_tasks set starts = false
    where server_id = ${server_id} and ended is null and kind in ('restore', 'change')`;
}
