import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNoRoomFor } from './capacity.ts';
import { serversById } from './read.ts';
import { whyNotResize } from './rules.ts';
import { sizeOf } from './sizes.ts';

/** New size of a server, set by staff: memory and disk in GB, CPU as a number of cores. */
export interface Resizing {
  server_id: string;
  ram_gb: number;
  cpu?: number | undefined;
  disk_gb?: number | undefined;
}

/**
 * Resizes a server on its node: it is `upgrading` until its agent reports the new size. Omitted values follow from the
 * memory, as with plans; the disk shrinks only on request. The price stays. The current size changes nothing. Refuses
 * as `whyNotResize` and `whyNoRoomFor` say. For staff: the caller checks the permission. Source: decisions §4.1;
 * hosting §5.5.
 */
export async function resizeServer(
  db: Db,
  desired: Resizing,
  now: Date,
  actor_id: string | null = null,
): Promise<void> {
  const { server_id: id } = desired;
  // locks the node first, in the same order as agents' reports; holds the lock so that two resizes cannot take the last
  // capacity
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
  assertAllowed(await whyNoRoomFor(db, server.node_id!, more, size));
  await db`
    update servers set ${db(size)}, resize_seq = resize_seq + 1, generation = generation + 1,
      lifecycle = 'upgrading', lifecycle_data = jsonb_build_object('generation', generation + 1)
    where id = ${id}`;
  await recordEvent(db, { name: 'server.resized', actor_id, server_id: id, data: size });
}
