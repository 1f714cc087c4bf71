import { randomUUID } from 'node:crypto';
import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { type NodeState, whyNotGiveUpNode } from '../../nodes/rules.ts';
import { setDraining } from '../../nodes/write.ts';
import { portable } from '../backups/begin.ts';
import { isBackupInProgress } from '../backups/read.ts';
import { serversById } from '../read.ts';
import { hasNodeFor } from '../schedule.ts';
import { isChanging, requestedTask } from '../tasks/rows.ts';
import { beginTask, endTask } from '../tasks/steps.ts';
import type { NewTask } from '../tasks/write.ts';
import { suspendServer } from '../write.ts';
import { type Move, openMove } from './read.ts';
import { whyNotCancelMove, whyNotMove } from './rules.ts';
import { moves, nodesOf } from './steps.ts';

/** What staff do about moves, each in the caller's transaction: the caller checks that they are administrators. */

export interface MoveRequest {
  /** Made by the client: the same one twice is one move. */
  id: string;
  server_id: string;
  /** Null: the emptiest one of its region. */
  to_node: string | null;
  /** Backups that only its node has may be lost. */
  drop_backups: boolean;
}

/** Names of the ports that a server has beside that of the game. */
async function portNames(db: Db, server_id: string): Promise<string[]> {
  const ports = await db<{ name: string }[]>`
    select name from server_ports where server_id = ${server_id} and name is not null and removed_generation is null
    order by port`;
  return ports.map(({ name }) => name);
}

/** Finished backups that only the node of a server has. */
async function backupsOnNode(db: Db, server_id: string): Promise<number> {
  const [row] = await db<{ kept: number }[]>`
    select count(*)::int as kept from server_backups
    where server_id = ${server_id} and target = 'node' and state in ('done', 'unchanged', 'damaged')`;
  return row?.kept ?? 0;
}

/**
 * Begins to move a server to another node. Refuses as `whyNotMove` says (`backups_on_node` unless `drop_backups`),
 * `server_not_found`, `node_unknown`, `node_same`, `no_other_node`, `operation_mismatch`.
 */
export async function requestMove(
  db: Db,
  { id, server_id, to_node, drop_backups }: MoveRequest,
  by: { actor_id: string | null; reason: Move['data']['reason'] },
  now: Date,
): Promise<void> {
  await db`select 1 from servers where id = ${server_id} for update`;
  if (await requestedTask<Move>(db, 'move', id, (before) => before.server_id === server_id)) return;
  const [server] = await serversById(db, [server_id], now);
  if (!server) throw new Refused('server_not_found');
  if (to_node && to_node === server.node_id) throw new Refused('node_same');
  if (to_node && (await db`select 1 from nodes where id = ${to_node}`).length === 0)
    throw new Refused('node_unknown', { node: to_node });
  const busy = (await isBackupInProgress(db, server_id)) || (await isChanging(db, server_id));
  const kept_backups = drop_backups ? 0 : await backupsOnNode(db, server_id);
  // one that is only busy waits its turn when its node is emptied
  const waits = by.reason === 'drain' && busy;
  assertAllowed(whyNotMove(server.facts, { busy: busy && !waits, kept_backups }), {
    ...{ step: server.view.lifecycle_data.step ?? '', by: 'backup', backups: kept_backups },
  });
  const except = await nodesOf(db, server_id, server.node_id);
  if (!(await hasNodeFor(db, server.view, now, { only: to_node, except })))
    throw new Refused('no_other_node');
  const { reason, actor_id } = by;
  await recordEvent(db, { name: 'server.move_requested', actor_id, server_id, data: { reason } });
  const from_port = server.view.address?.port ?? null;
  const task = { id, server_id, actor_id, from_node: server.node_id, to_node };
  await begin(db, task, { reason, from_port, port_names: await portNames(db, server_id) }, now);
}

/** Begins with the first step; a server whose node is lost is placed at once, and its files come from the backup. */
async function begin(
  db: Db,
  task: Pick<
    NewTask<Move>,
    'id' | 'server_id' | 'actor_id' | 'from_node' | 'to_node' | 'starts' | 'safety_backup_id'
  >,
  given: Omit<Move['data'], 'restore_id'>,
  now: Date,
): Promise<void> {
  const data = { ...given, restore_id: null };
  const step = given.reason === 'lost' ? 'placing' : 'queued';
  await beginTask(moves, { ...task, kind: 'move', step, data }, { db, settings: portable, now });
}

/** Cancels a move, wherever it is. */
async function cancel(db: Db, task: Move, now: Date): Promise<void> {
  const work = { db, task, server: null, settings: portable, now };
  await endTask(moves, work, { step: 'cancelled', error: null });
}

/** Cancels a move that has not left its node yet. Refuses `move_unknown`, `move_too_far`. */
export async function cancelMove(db: Db, server_id: string, now: Date): Promise<void> {
  await db`select 1 from servers where id = ${server_id} for update`;
  const move = await openMove(db, server_id);
  assertAllowed(whyNotCancelMove(move?.step ?? null));
  await cancel(db, move!, now);
}

/** Servers on a node, and whether each can be moved away: those that cannot stay, with the reason. */
export interface Emptied {
  moving: number;
  staying: { server_id: string; name: string; refused: Refused }[];
}

/** Drains a node and moves every server away, one after the other. Refuses `node_unknown`. */
export async function emptyNode(
  db: Db,
  node_id: string,
  { actor_id, drop_backups }: { actor_id: string | null; drop_backups: boolean },
  now: Date,
): Promise<Emptied> {
  await setDraining(db, node_id, true, actor_id);
  const servers = await db<{ id: string; name: string }[]>`
    select id, name from servers where node_id = ${node_id} and lifecycle <> 'deprovisioning' order by id for update`;
  const emptied: Emptied = { moving: 0, staying: [] };
  for (const { id: server_id, name } of servers) {
    if (await openMove(db, server_id)) continue;
    try {
      const request = { id: randomUUID(), server_id, to_node: null, drop_backups };
      await requestMove(db, request, { actor_id, reason: 'drain' }, now);
      emptied.moving += 1;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      emptied.staying.push({ server_id, name, refused: error });
    }
  }
  return emptied;
}

/**
 * Gives a node up that will not come back: servers whose backups lie outside it are restored on other nodes from the newest
 * one, the others are suspended as lost. Refuses `node_unknown`, and `node_online` while its agent is connected.
 */
export async function giveUpNode(
  db: Db,
  node_id: string,
  actor_id: string | null,
  now: Date,
): Promise<{ rescued: number; lost: number }> {
  const [node] = await db<{ status: NodeState }[]>`select status from nodes where id = ${node_id} for update`;
  if (!node) throw new Refused('node_unknown', { node: node_id });
  assertAllowed(whyNotGiveUpNode(node));
  await db`update nodes set draining = true where id = ${node_id}`;
  // what was to be removed there is gone with it
  await db`delete from server_copies where node_id = ${node_id} and not kept`;
  const servers = await db<{ id: string; on: boolean; lifecycle: string }[]>`
    select id, power_wanted = 'on' as on, lifecycle from servers
    where node_id = ${node_id} and lifecycle <> 'deprovisioning' order by id for update`;
  let rescued = 0;
  for (const { id: server_id, on, lifecycle } of servers) {
    const open = await openMove(db, server_id);
    if (open) await cancel(db, { ...open, starts: false }, now);
    const [backup] = await db<{ id: string }[]>`
      select id from server_backups
      where server_id = ${server_id} and target in ('platform', 's3') and engine = 'archive'
        and state in ('done', 'unchanged') order by created desc limit 1`;
    const port_names = await portNames(db, server_id);
    await db`update servers set node_id = null, port = null, power = 'stopped', seen = seen - 'installed' where id = ${server_id}`;
    if (!backup || lifecycle === 'suspended') {
      if (!backup) await suspendServer(db, server_id, 'lost', actor_id);
      await recordEvent(db, { name: 'server.lost', actor_id, server_id });
      continue;
    }
    rescued += 1;
    const task = { id: randomUUID(), server_id, actor_id, from_node: node_id, starts: on };
    const lost = { reason: 'lost' as const, from_port: null, port_names };
    await begin(db, { ...task, safety_backup_id: backup.id }, lost, now);
  }
  const ended = { rescued, lost: servers.length - rescued };
  await recordEvent(db, { name: 'node.given_up', actor_id, node_id, data: ended });
  return ended;
}
