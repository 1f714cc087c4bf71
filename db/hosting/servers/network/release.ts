import type { Db } from '../../../platform/postgres/sql.ts';

/** Frees removed ports of a server whose process knows at least `generation`, or has ended. */
export async function releasePorts(db: Db, server_id: string, generation: number): Promise<void> {
  await db`
    delete from server_ports where server_id = ${server_id} and removed_generation <= ${generation}::bigint`;
}
