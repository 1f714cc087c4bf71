import { randomUUID } from 'node:crypto';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { portable } from '../backups/begin.ts';
import { isBackupInProgress } from '../backups/read.ts';
import { beginRestore, type Restore } from '../backups/restore-steps.ts';
import { beginSafetyBackup, safetyEnd } from '../backups/safety.ts';
import { keepCopy, releaseCopies, returnToCopy } from '../copies.ts';
import { game_port } from '../network/rules.ts';
import type { OperationError } from '../operations/rules.ts';
import type { ServerRecord } from '../read.ts';
import { chooseNode, freePort } from '../schedule.ts';
import { isChanging, taskById } from '../tasks/rows.ts';
import { fails, isLate, type Next, type StepRules, type StepwiseKind, type Work } from '../tasks/steps.ts';
import { beginToStop, stop_timeout_ms, untilStopped } from '../tasks/stopping.ts';
import { updateTask } from '../tasks/write.ts';
import type { Move } from './read.ts';
import { moves_at_once } from './rules.ts';

/** A step of a move; a server that is being deleted is not moved any more. */
const onServer =
  (check: (work: Work<Move> & { server: ServerRecord }) => Promise<Next<Move>>): StepRules<Move>['check'] =>
  async (work) =>
    work.server ? await check({ ...work, server: work.server }) : { ends: 'cancelled' };

/**
 * The server stops, a backup goes to the platform, the server is placed on another node and installed there, its files are
 * restored from the backup, whose hash the agent compares, and it starts again if it ran. What it was before is kept until
 * then: a move that fails goes back to it. Source: hosting §5.5, §6.
 */
export const moves: StepwiseKind<Move> = {
  kind: 'move',
  steps: {
    queued: { check: onServer(untilItsTurn) },
    stopping: {
      most_ms: stop_timeout_ms,
      begin: beginToStop,
      check: onServer(async (work) => (await untilStopped(work)) ?? { step: 'saving' }),
    },
    saving: {
      most_ms: 6 * 3_600_000,
      begin: (work) => beginSafetyBackup(work, { before: 'move' }, portable),
      check: onServer(untilSaved),
    },
    // a node whose agent or Docker restarts is back by then
    placing: { most_ms: 60_000, check: onServer(place) },
    installing: { most_ms: 30 * 60_000, check: onServer(untilInstalled) },
    restoring: { most_ms: 6 * 3_600_000, begin: restore, check: onServer(untilRestored) },
  },
  onEnd,
};

async function untilItsTurn({
  db,
  task,
  server,
}: Work<Move> & { server: ServerRecord }): Promise<Next<Move>> {
  const { server_id, from_node } = task;
  const [{ going } = { going: 0 }] = await db<{ going: number }[]>`
    select count(*)::int as going from server_tasks
    where from_node = ${from_node} and kind = 'move' and ended is null and step <> 'queued'`;
  if (going >= moves_at_once) return 'waits';
  // what goes on with its files ends first
  if ((await isBackupInProgress(db, server_id)) || (await isChanging(db, server_id))) return 'waits';
  return server.facts.lifecycle === 'ready' ? { step: 'stopping' } : fails('server_not_ready');
}

async function untilSaved(work: Work<Move>): Promise<Next<Move>> {
  const end = await safetyEnd(work);
  if (end === 'made') return { step: 'placing' };
  if (end === 'cancelled' || (end === 'waits' && isLate(work))) return fails('operation_canceled');
  return end;
}

async function place(work: Work<Move> & { server: ServerRecord }): Promise<Next<Move>> {
  const { db, task, server, now } = work;
  const { server_id, to_node, from_node, data } = task;
  const { kind, region, ram_mb, cpu_millis, disk_mb } = server.view;
  const found = await chooseNode(db, { kind, region, ram_mb, cpu_millis, disk_mb }, now, {
    only: to_node,
    except: await nodesOf(db, server_id, from_node),
  });
  // a server whose node is lost waits for a place, any other one for a moment
  if (!found) return data.reason === 'lost' || !isLate(work) ? 'waits' : fails('no_other_node');
  if (data.reason !== 'lost') await keepCopy(db, server_id);
  await db`
    update servers set node_id = ${found.node_id}, port = ${found.port}, generation = generation + 1, power = 'stopped',
      lifecycle = 'provisioning', lifecycle_data = '{"reason": "moving"}', power_wanted = 'off', seen = seen - 'installed'
    where id = ${server_id}`;
  await givePorts(db, task, found.node_id);
  await updateTask<Move>(db, task, { to_node: found.node_id });
  return { step: 'installing' };
}

/** As many ports of the other node as it had beside that of the game, as far as there are free ones, under the same names. */
async function givePorts(db: Db, { server_id, data }: Move, node_id: string): Promise<void> {
  for (const name of data.port_names) {
    const port = await freePort(db, node_id, game_port);
    if (port === null) return;
    await db`insert into server_ports ${db({ node_id, port, server_id, name })}`;
  }
}

/** Nodes that have files of the server: it is not placed there. */
export async function nodesOf(db: Db, server_id: string, from_node: string | null): Promise<string[]> {
  const copies = await db<
    { node_id: string }[]
  >`select node_id from server_copies where server_id = ${server_id}`;
  return [...copies.map(({ node_id }) => node_id), ...(from_node ? [from_node] : [])];
}

async function untilInstalled(work: Work<Move> & { server: ServerRecord }): Promise<Next<Move>> {
  const { db, task, server } = work;
  const { lifecycle_data, lifecycle } = server.view;
  const [installed] = await db`select 1 from servers where id = ${task.server_id} and seen ? 'installed'`;
  if (installed) return task.safety_backup_id ? { step: 'restoring' } : fails('backup_not_found');
  const broken = lifecycle === 'broken' && lifecycle_data.step !== undefined;
  return broken || isLate(work) ? fails('operation_failed') : 'waits';
}

async function restore({ db, task, now }: Work<Move>) {
  const { server_id, actor_id, safety_backup_id } = task;
  const restore_id = randomUUID();
  const replaced = { id: restore_id, server_id, actor_id, backup_id: safety_backup_id! };
  await beginRestore(db, { ...replaced, data: { safety: false } }, portable, now);
  return { data: { restore_id } };
}

async function untilRestored(work: Work<Move>): Promise<Next<Move>> {
  const { db, task } = work;
  const { restore_id } = task.data;
  const replaced = restore_id && (await taskById<Restore>(db, 'restore', restore_id));
  if (replaced && replaced.step === 'done') return { ends: 'done' };
  if (replaced && replaced.ended === null && !isLate(work)) return 'waits';
  const [backup] = await db<{ error: OperationError | null }[]>`
    select error from server_backups where id = ${task.safety_backup_id}`;
  return backup?.error ? { fails: backup.error } : fails('operation_failed');
}

/** A server whose move did not work is where it was before; one whose node is lost is suspended. */
async function onEnd(
  { db, task }: Work<Move>,
  { step, error }: Parameters<StepwiseKind<Move>['onEnd']>[1],
): Promise<void> {
  const { server_id, actor_id, safety_backup_id, data } = task;
  const isLost = data.reason === 'lost';
  if (step === 'failed' && !isLost) await returnToCopy(db, server_id);
  else if (step === 'failed')
    await db`
      update servers set lifecycle = 'suspended', lifecycle_data = '{"reason": "lost"}', power_wanted = 'off',
        generation = generation + 1 where id = ${server_id}`;
  else await releaseCopies(db, server_id);
  if (step === 'done')
    await db`update servers set lifecycle_data = '{}' where id = ${server_id} and lifecycle = 'ready'`;
  const [there] = await db`select 1 from servers where id = ${server_id}`;
  if (!there) return;
  const by = { actor_id, server_id };
  if (isLost) {
    const [backup] = await db<
      { created: string }[]
    >`select created from server_backups where id = ${safety_backup_id}`;
    if (step === 'done' && backup)
      await recordEvent(db, { name: 'server.rescued', ...by, data: { state_of: backup.created } });
    // one that is cancelled begins anew, because the other node was lost too
    else if (step === 'failed') await recordEvent(db, { name: 'server.lost', ...by });
  } else if (step === 'done') await recordEvent(db, { name: 'server.moved', ...by });
  else if (error) await recordEvent(db, { name: 'server.move_failed', ...by, data: { error: error.code } });
}
