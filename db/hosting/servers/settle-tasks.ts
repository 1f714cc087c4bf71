import type { Pool, Transaction } from '../../platform/postgres/sql.ts';
import { backupById } from './backups/read.ts';
import { type Restore, restores } from './backups/restore-steps.ts';
import { changes } from './changes/steps.ts';
import { moves } from './moves/steps.ts';
import { type SettledRuns, settleRuns } from './schedules/settle.ts';
import { openKinds, openTask, type Task } from './tasks/rows.ts';
import { advanceTask, type StepwiseKind, type Work } from './tasks/steps.ts';

/** What tasks go by beside the database. */
interface Surroundings extends Pick<Work<Task>, 'settings'> {
  /** For runs of schedules, with how many people play, null when nothing tells. Without it runs wait for a control plane. */
  runs: { players: number | null } | null;
}

/**
 * Goes on with the tasks of a server after anything that they wait for. Every control plane calls it for every notice and a job
 * from time to time: the row of the server is locked, and each step is made once.
 */
export async function settleTasks(
  sql: Pool,
  server_id: string,
  { settings, runs }: Surroundings,
  now: Date,
): Promise<SettledRuns> {
  const nothing = { agent_steps: [], wake: null };
  const kinds = await openKinds(sql, server_id);
  if (!runs) kinds.delete('run');
  if (kinds.size === 0) return nothing;
  return await sql.begin(async (tx) => {
    const locked = await lockServers(tx, server_id);
    const advance = async <T extends Task>(kind: StepwiseKind<T>): Promise<void> => {
      const task = await openTask<T>(tx, kind.kind, server_id);
      if (task) await advanceTask(kind, task, { db: tx, settings, now });
    };
    // one that began meanwhile has a notice of its own
    const restore = await openTask<Restore>(tx, 'restore', server_id);
    if (restore && locked.has((await backupById(tx, restore.backup_id)).server_id)) await advance(restores);
    await advance(changes);
    await advance(moves);
    return runs ? await settleRuns(tx, server_id, { settings, players: runs.players }, now) : nothing;
  });
}

/** Locks the server, and the one whose backup is being restored to it. */
async function lockServers(tx: Transaction, server_id: string): Promise<Set<string>> {
  const rows = await tx<{ id: string }[]>`
    select id from servers where id = ${server_id} or id in (
      select b.server_id from server_tasks t join server_backups b on b.id = t.backup_id
      where t.server_id = ${server_id} and t.ended is null)
    order by id for update`;
  return new Set(rows.map(({ id }) => id));
}
