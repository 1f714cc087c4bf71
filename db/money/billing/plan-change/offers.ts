import { sizesHeldBy } from '../../../hosting/servers/capacity.ts';
import { sizeOf } from '../../../hosting/servers/sizes.ts';
import type { Db } from '../../../platform/postgres/sql.ts';

/** The sizes among `sizes`, in GB of memory, that the machine of a server is large enough for; all while it has none. */
export async function sizesForServer(
  db: Db,
  server_id: string,
  sizes: readonly number[],
): Promise<readonly number[]> {
  const [server] = await db<Array<{ node_id: string | null }>>`
    select node_id from servers where id = ${server_id}`;
  if (!server?.node_id) return sizes;
  const held = await sizesHeldBy(db, server.node_id, sizes.map(sizeOf));
  return held.map(({ ram_mb }) => ram_mb / 1024);
}
