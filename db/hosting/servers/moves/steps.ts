import { randomUUID } from 'node:crypto';
import { type RefusalCode, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { addBackup, portable } from '../backups/begin.ts';
import { backupRow, isBackupInProgress } from '../backups/read.ts';
import { advanceRestore, openRestores } from '../backups/restore-steps.ts';
import { isChanging } from '../content/open-change.ts';
import { keepCopy, releaseCopies, returnToCopy } from '../copies.ts';
import { game_port } from '../network/rules.ts';
import type { OperationError } from '../operations/rules.ts';
import { type ServerRecord, serversById } from '../read.ts';
import { chooseNode, freePort } from '../schedule.ts';
import type { Move } from './read.ts';
import { type MoveStep, moves_at_once, step_timeouts_ms } from './rules.ts';

/**
 * Takes a move as far as it can go now: the server stops, a backup goes to the platform, the server is placed on another node
 * and installed there, its files are restored from the backup, whose hash the agent compares, and it starts again if it ran.
 * What it was before is kept until then: a move that fails goes back to it. Each step is stored before it begins, so any
 * control plane goes on after a crash. The caller has locked the row of the server. Source: hosting §5.5, §6.
 */
export async function advanceMove(db: Db, move: Move, now: Date): Promise<void> {
  const [server] = await serversById(db, [move.server_id], now);
  if (!server) return await endMove(db, move, 'cancelled', null, now);
  try {
    await steps[move.step]?.(db, move, server, now);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    await failMove(db, move, { code: error.code, retryable: true }, now);
  }
}

type StepWork = (db: Db, move: Move, server: ServerRecord, now: Date) => Promise<void>;
const steps: Partial<Record<MoveStep, StepWork>> = {
  queued: onQueued,
  stopping: onStopping,
  saving: onSaving,
  placing: onPlacing,
  installing: onInstalling,
  restoring: onRestoring,
};

async function setStep(db: Db, { id }: Move, step: MoveStep, now: Date, more: object = {}): Promise<void> {
  const step_until = new Date(now.getTime() + (step_timeouts_ms[step] ?? 24 * 3_600_000));
  await db`update server_moves set ${db({ ...more, step, step_until })} where id = ${id}`;
}

const isOver = ({ step_until }: Move, now: Date): boolean => now > new Date(step_until);
const fail = (code: RefusalCode): OperationError => ({ code, retryable: true });

async function onQueued(db: Db, move: Move, server: ServerRecord, now: Date): Promise<void> {
  const { server_id, from_node } = move;
  const [{ going } = { going: 0 }] = await db<{ going: number }[]>`
    select count(*)::int as going from server_moves
    where from_node = ${from_node} and ended is null and step <> 'queued'`;
  if (going >= moves_at_once) return;
  // what goes on with its files ends first
  if ((await isBackupInProgress(db, server_id)) || (await isChanging(db, server_id))) return;
  if (server.facts.lifecycle !== 'ready') return await failMove(db, move, fail('server_not_ready'), now);
  const starts = server.view.power_wanted === 'on';
  if (starts)
    await db`update servers set power_wanted = 'off', generation = generation + 1 where id = ${server_id}`;
  await setStep(db, move, 'stopping', now, { starts });
  await onStopping(db, { ...move, step_until: now.toISOString(), starts }, server, now, true);
}

async function onStopping(
  db: Db,
  move: Move,
  server: ServerRecord,
  now: Date,
  begins = false,
): Promise<void> {
  const [stopped] = await db`
    select 1 from servers where id = ${move.server_id} and power in ('stopped', 'crashed')`;
  if (!stopped) {
    if (!begins && isOver(move, now)) await failMove(db, move, fail('server_still_running'), now);
    return;
  }
  const made = { op_id: randomUUID(), reason: 'safety', actor_id: move.actor_id, before: 'move' } as const;
  const backup_id = await addBackup(db, server, made, portable, now, { beside: true });
  await setStep(db, move, 'saving', now, { backup_id });
}

async function onSaving(db: Db, move: Move, server: ServerRecord, now: Date): Promise<void> {
  if (!move.backup_id) return await failMove(db, move, fail('backup_not_found'), now);
  const backup = await backupRow(db, move.server_id, move.backup_id);
  if (backup.state === 'done' || backup.state === 'unchanged') {
    await setStep(db, move, 'placing', now);
    await onPlacing(db, move, server, now);
  } else if (backup.state === 'failed')
    await failMove(db, move, backup.error ?? fail('operation_failed'), now);
  else if (backup.state === 'cancelled' || isOver(move, now))
    await failMove(db, move, fail('operation_canceled'), now);
}

async function onPlacing(db: Db, move: Move, server: ServerRecord, now: Date): Promise<void> {
  const { server_id, to_node, from_node, reason } = move;
  const { kind, region, ram_mb, cpu_millis, disk_mb } = server.view;
  const place = await chooseNode(db, { kind, region, ram_mb, cpu_millis, disk_mb }, now, {
    only: to_node,
    except: await nodesOf(db, server_id, from_node),
  });
  if (!place) {
    // a server whose node is lost waits for a place, any other one for a moment
    if (reason === 'lost' || !isOver(move, now)) return;
    return await failMove(db, move, fail('no_other_node'), now);
  }
  if (reason !== 'lost') await keepCopy(db, server_id);
  await db`
    update servers set node_id = ${place.node_id}, port = ${place.port}, generation = generation + 1, power = 'stopped',
      lifecycle = 'provisioning', lifecycle_data = '{"reason": "moving"}', power_wanted = 'off', seen = seen - 'installed'
    where id = ${server_id}`;
  await givePorts(db, move, place.node_id);
  await setStep(db, move, 'installing', now, { to_node: place.node_id });
}

/** As many ports of the other node as it had beside that of the game, as far as there are free ones, under the same names. */
async function givePorts(db: Db, { id, server_id }: Move, node_id: string): Promise<void> {
  const [row] = await db<{ port_names: string[] }[]>`select port_names from server_moves where id = ${id}`;
  for (const name of row?.port_names ?? []) {
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

async function onInstalling(db: Db, move: Move, server: ServerRecord, now: Date): Promise<void> {
  const { server_id, backup_id, actor_id } = move;
  const { lifecycle_data, lifecycle } = server.view;
  const [installed] = await db`select 1 from servers where id = ${server_id} and seen ? 'installed'`;
  if (!installed) {
    const broken = lifecycle === 'broken' && lifecycle_data.step !== undefined;
    if (broken || isOver(move, now)) await failMove(db, move, fail('operation_failed'), now);
    return;
  }
  if (!backup_id) return await failMove(db, move, fail('backup_not_found'), now);
  const restore_id = randomUUID();
  await db`
    update server_backups set state = 'restoring', rest = state, error = null, op_id = null, cancelling = false
    where id = ${backup_id}`;
  const row = {
    op_id: restore_id,
    backup_id,
    server_id,
    actor_id,
    safety: false,
    starts: false,
    created: now,
  };
  await db`insert into server_restores ${db({ ...row, stops_until: now, step: 'stopping' })}`;
  await setStep(db, move, 'restoring', now, { restore_id });
  for (const restore of await openRestores(db, [server_id]))
    if (restore.op_id === restore_id) await advanceRestore(db, restore, portable, now);
}

async function onRestoring(db: Db, move: Move, _server: ServerRecord, now: Date): Promise<void> {
  const [restore] = await db<{ step: string; ended: string | null }[]>`
    select step, ended from server_restores where op_id = ${move.restore_id}`;
  if (restore?.step === 'done') return await endMove(db, move, 'done', null, now);
  if (!restore || restore.ended !== null || isOver(move, now)) {
    const [backup] = await db<{ error: OperationError | null }[]>`
      select error from server_backups where id = ${move.backup_id}`;
    await failMove(db, move, backup?.error ?? fail('operation_failed'), now);
  }
}

/** Ends a move that did not work: the server is where it was before; one whose node is lost is suspended. */
async function failMove(db: Db, move: Move, error: OperationError, now: Date): Promise<void> {
  if (move.reason === 'lost')
    await db`
      update servers set lifecycle = 'suspended', lifecycle_data = '{"reason": "lost"}', power_wanted = 'off',
        generation = generation + 1 where id = ${move.server_id}`;
  else await returnToCopy(db, move.server_id);
  await endMove(db, move, 'failed', error, now);
}

/** Ends a move; a server that ran is started again, wherever it is now. */
export async function endMove(
  db: Db,
  move: Move,
  step: 'done' | 'failed' | 'cancelled',
  error: OperationError | null,
  now: Date,
): Promise<void> {
  const { id, server_id, actor_id, starts, backup_id, reason } = move;
  await db`
    update server_moves set step = ${step}, ended = ${now}, error = ${error && db.json(error as never)} where id = ${id}`;
  if (step !== 'failed') await releaseCopies(db, server_id);
  if (step === 'done')
    await db`update servers set lifecycle_data = '{}' where id = ${server_id} and lifecycle = 'ready'`;
  if (starts)
    await db`
      update servers set power_wanted = 'on', generation = generation + 1
      where id = ${server_id} and power_wanted = 'off' and lifecycle = 'ready'`;
  const [there] = await db`select 1 from servers where id = ${server_id}`;
  if (!there) return;
  const by = { actor_id, server_id };
  if (reason === 'lost') {
    const [backup] = await db<
      { created: string }[]
    >`select created from server_backups where id = ${backup_id}`;
    if (step === 'done' && backup)
      await recordEvent(db, { name: 'server.rescued', ...by, data: { state_of: backup.created } });
    // one that is cancelled begins anew, because the other node was lost too
    else if (step === 'failed') await recordEvent(db, { name: 'server.lost', ...by });
  } else if (step === 'done') await recordEvent(db, { name: 'server.moved', ...by });
  else if (error) await recordEvent(db, { name: 'server.move_failed', ...by, data: { error: error.code } });
}
