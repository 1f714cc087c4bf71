import { transferOrigin } from '#db/hosting/nodes/read.ts';
import type { Db } from '#db/platform/postgres/sql.ts';

/**
 * An address of a transfer on the site, and the same at the port of the agent of `node_id`, when it has one (null: the bytes are at
 * the platform).
 */
export async function waysTo(
  db: Db,
  address: string,
  node_id: string | null,
): Promise<{ address: string; direct?: string }> {
  const origin = node_id && (await transferOrigin(db, node_id));
  return origin ? { address, direct: origin + address } : { address };
}
