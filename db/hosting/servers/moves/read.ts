import { z } from 'zod';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { OperationError } from '../operations/rules.ts';
import { type MoveStep, moveSteps } from './rules.ts';

/** Moves of servers as they are stored, and as staff see them. */

export interface Move {
  id: string;
  server_id: string;
  actor_id: string | null;
  reason: 'staff' | 'drain' | 'lost';
  step: MoveStep;
  from_node: string | null;
  from_port: number | null;
  to_node: string | null;
  backup_id: string | null;
  restore_id: string | null;
  starts: boolean;
  step_until: string;
}

/** The move of a server that goes on, or null. */
export async function openMove(db: Db, server_id: string): Promise<Move | null> {
  const [move] = await db<Move[]>`
    select id, server_id, actor_id, reason, step, from_node, from_port, to_node, backup_id, restore_id, starts, step_until
    from server_moves where server_id = ${server_id} and ended is null`;
  return move ?? null;
}

/** Servers with a move that goes on, longest waiting first. */
export async function serversWithMoves(db: Db, limit: number): Promise<string[]> {
  const found = await db<{ server_id: string }[]>`
    select server_id from server_moves where ended is null order by created, id limit ${limit}`;
  return found.map(({ server_id }) => server_id);
}

export const moveView = z.strictObject({
  id: z.string(),
  server_id: z.string(),
  server: z.string(),
  reason: z.enum(['staff', 'drain', 'lost']),
  step: z.enum(moveSteps),
  /** Names of nodes; null when there is none any more, or none yet. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  error: z.string().nullable(),
  created: z.string(),
  ended: z.string().nullable(),
});
export type MoveView = z.output<typeof moveView>;

/** Most moves that staff see at once. */
const max_moves = 100;

/**
 * A page of moves: those that go on, then those that ended last. It begins after the move `before`; `next` is the last of it,
 * null on the last page.
 */
export async function moveViews(
  db: Db,
  before: string | null = null,
): Promise<{ moves: MoveView[]; next: string | null }> {
  const rows = await db<Array<Omit<MoveView, 'error'> & { error: OperationError | null }>>`
    select m.id, m.server_id, s.name as server, m.reason, m.step, f.name as from, t.name as to, m.error, m.created, m.ended
    from server_moves m join servers s on s.id = m.server_id left join nodes f on f.id = m.from_node
      left join nodes t on t.id = m.to_node
    where ${
      before === null
        ? db`true`
        : db`(coalesce(m.ended, 'infinity'), m.created, m.id)
          < (select coalesce(b.ended, 'infinity'), b.created, b.id from server_moves b where b.id = ${before})`
    }
    order by coalesce(m.ended, 'infinity') desc, m.created desc, m.id desc limit ${max_moves + 1}`;
  const page = rows.slice(0, max_moves);
  return {
    moves: page.map(({ error, ...move }) => ({ ...move, error: error?.code ?? null })),
    next: rows.length > max_moves ? page.at(-1)!.id : null,
  };
}
