import type { Db } from '../../platform/postgres/sql.ts';

/**
 * Raises the generations of a node's servers above those its agent already knows: after a restore of an older database
 * backup they must not continue below them.
 */
export async function raiseGenerations(
  db: Db,
  node_id: string,
  known: ReadonlyArray<{ id: string; generation: number }>,
): Promise<void> {
  await db`
    update servers s set generation = k.generation + 1
    from jsonb_to_recordset(${db.json([...known])}) as k (id text, generation bigint)
    where s.id = k.id and s.node_id = ${node_id} and s.generation < k.generation`;
}
