import { Refused } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import type { Sealer } from '../../../platform/secrets/seal.ts';
import type { AskingNode } from './transfers.ts';

const purposeOf = (server_id: string): string => `restic:${server_id}`;

/**
 * The password of the restic repository of a server, for the agent of its node, or of a server that one of its backups is being
 * restored to. `offered` is stored, sealed, when there is none yet; the first one stays. Null when there is none. Refuses
 * `lease_stale` and `server_not_found`.
 */
export async function repositoryPassword(
  db: Db,
  sealer: Sealer,
  { node_id, lease }: AskingNode,
  { server_id, offered }: { server_id: string; offered: string | null },
): Promise<string | null> {
  const [holds] = await db`select 1 from nodes where id = ${node_id} and lease = ${lease}`;
  if (!holds) throw new Refused('lease_stale');
  const [server] = await db<{ own: boolean }[]>`
    select node_id is not distinct from ${node_id} as own from servers
    where id = ${server_id} and (node_id = ${node_id} or exists (
      select 1 from server_tasks r join server_backups b on b.id = r.backup_id join servers t on t.id = r.server_id
      where b.server_id = ${server_id} and b.engine = 'restic' and r.ended is null and t.node_id = ${node_id}))`;
  if (!server) throw new Refused('server_not_found');
  if (offered !== null && server.own)
    await db`
      insert into backup_passwords ${db({ server_id, sealed: sealer.seal(offered, purposeOf(server_id)) })}
      on conflict do nothing`;
  const [row] = await db<
    { sealed: string }[]
  >`select sealed from backup_passwords where server_id = ${server_id}`;
  return row ? sealer.open(row.sealed, purposeOf(server_id)) : null;
}
