import { z } from 'zod';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { OperationError } from '../operations/rules.ts';
import { openTask, type Task } from '../tasks/rows.ts';
import { type MoveStep, moveSteps } from './rules.ts';

/** Moves of servers as they are stored, and as staff see them. */

interface MoveData {
  reason: 'staff' | 'drain' | 'lost';
  /** Its port on the node that it leaves. */
  from_port: number | null;
  /** The restore that replaces its files on the other node. */
  restore_id: string | null;
  /** Names of the ports that it has beside that of the game: it gets as many on the other node. */
  port_names: string[];
}
export type Move = Task<'move', MoveStep, MoveData>;

/** The move of a server that goes on, or null. */
export const openMove = (db: Db, server_id: string): Promise<Move | null> =>
  openTask<Move>(db, 'move', server_id);

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
    select m.id, m.server_id, s.name as server, m.data->>'reason' as reason, m.step, f.name as from, t.name as to, m.error,
      m.began as created, m.ended
    from server_tasks m join servers s on s.id = m.server_id left join nodes f on f.id = m.from_node
      left join nodes t on t.id = m.to_node
    where m.kind = 'move' and ${
      before === null
        ? db`true`
        : db`(coalesce(m.ended, 'infinity'), m.began, m.id)
          < (select coalesce(b.ended, 'infinity'), b.began, b.id from server_tasks b where b.id = ${before})`
    }
    order by coalesce(m.ended, 'infinity') desc, m.began desc, m.id desc limit ${max_moves + 1}`;
  const page = rows.slice(0, max_moves);
  return {
    moves: page.map(({ error, ...move }) => ({ ...move, error: error?.code ?? null })),
    next: rows.length > max_moves ? page.at(-1)!.id : null,
  };
}
