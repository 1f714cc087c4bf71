import { assertAllowed, Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import type { Db } from '../sql.ts';
import { serversById } from './read.ts';
import { whyNotResize } from './rules.ts';
import { hasCapacityFor } from './schedule.ts';
import { sizeOf } from './sizes.ts';

/** What staff want of a server's size: memory and disk in GB, cores as a number. */
export interface Resizing {
  server_id: string;
  ram_gb: number;
  cpu?: number | undefined;
  disk_gb?: number | undefined;
}

/**
 * Gives a server another size where it stands: it is `upgrading` until its agent says that this is in force. What is not
 * said follows from the memory as with plans, and a disk is never made smaller unasked. What it costs stays as it is:
 * prices of another size come with billing. The size it has already changes nothing. Refuses as `whyNotResize` says, and
 * `node_full`. For staff: who asks is looked at by the doorway. Source: decisions §4.1; hosting §5.5.
 */
export async function resizeServer(
  db: Db,
  desired: Resizing,
  now: Date,
  actor_id: string | null = null,
): Promise<void> {
  const { server_id: id } = desired;
  // the node first, as agents' reports lock them; it stays locked so that two cannot take the last room
  await db`select 1 from nodes where id = (select node_id from servers where id = ${id}) for update`;
  await db`select 1 from servers where id = ${id} for update`;
  const [server] = await serversById(db, [id], now);
  if (!server) throw new Refused('server_not_found');
  const { ram_mb, cpu_millis, disk_mb, lifecycle_data } = server.view;
  assertAllowed(whyNotResize(server.facts), { step: lifecycle_data.step ?? '' });
  const usual = sizeOf(desired.ram_gb);
  const size = {
    ram_mb: usual.ram_mb,
    cpu_millis: desired.cpu === undefined ? usual.cpu_millis : Math.round(desired.cpu * 1000),
    disk_mb: desired.disk_gb === undefined ? Math.max(disk_mb, usual.disk_mb) : desired.disk_gb * 1024,
  };
  if (size.ram_mb === ram_mb && size.cpu_millis === cpu_millis && size.disk_mb === disk_mb) return;
  const more = {
    ram_mb: size.ram_mb - ram_mb,
    cpu_millis: size.cpu_millis - cpu_millis,
    disk_mb: size.disk_mb - disk_mb,
  };
  if (!(await hasCapacityFor(db, server.node_id!, more, size))) throw new Refused('node_full');
  await db`
    update servers set ${db(size)}, resize_seq = resize_seq + 1, generation = generation + 1,
      lifecycle = 'upgrading', lifecycle_data = jsonb_build_object('generation', generation + 1)
    where id = ${id}`;
  await recordEvent(db, { name: 'server.resized', actor_id, server_id: id, data: size });
}
