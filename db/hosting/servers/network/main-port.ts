import { recordEvent } from '../../../platform/events/write.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { freePort } from '../schedule.ts';
import type { ServerWarning } from '../view.ts';
import { withWarning } from '../warnings.ts';

/**
 * Gives a server another port, because something else on its node uses the one that players know; that one is kept in mind, and
 * everybody concerned is told. Gives false when the node has none left.
 */
export async function replacePort(db: Db, server_id: string, node_id: string, at: string): Promise<boolean> {
  await db`
    update nodes n set ports_used = array_append(n.ports_used, s.port)
    from servers s where s.id = ${server_id} and n.id = ${node_id} and s.port <> all (n.ports_used)`;
  const port = await freePort(db, node_id);
  if (port === null) return false;
  const [before] = await db<[{ port: number }]>`select port from servers where id = ${server_id}`;
  await db`
    update servers set port = ${port}, generation = generation + 1, former_port_node = node_id,
      former_port = case when former_port_node = node_id then coalesce(former_port, port) else port end
    where id = ${server_id}`;
  await tellOfPort(db, server_id, { from: before.port, to: port }, at);
  return true;
}

/**
 * Gives a server that is about to start its former port back, if nothing on its node uses that any more. Its row is locked.
 */
export async function takePortBack(db: Db, server_id: string, now: Date): Promise<void> {
  const [before] = await db<Array<{ port: number; former_port: number }>>`
    select s.port, s.former_port from servers s join nodes n on n.id = s.node_id
    where s.id = ${server_id} and s.former_port_node = s.node_id and s.former_port <> all (n.ports_used)
      and s.former_port between n.port_from and n.port_to
      and not exists (select 1 from server_ports p where p.node_id = n.id and p.port = s.former_port)
      and not exists (select 1 from server_copies c where c.node_id = n.id
        and (c.port = s.former_port or c.extra_ports @> jsonb_build_array(jsonb_build_object('port', s.former_port))))`;
  if (!before) return;
  const { port: from, former_port: to } = before;
  await db`
    update servers set port = ${to}, former_port = null, former_port_node = null, generation = generation + 1
    where id = ${server_id}`;
  await tellOfPort(db, server_id, { from, to }, now.toISOString());
}

/** By its activity and its panel; a mail and a notification follow from the event. */
async function tellOfPort(
  db: Db,
  server_id: string,
  { from, to }: { from: number; to: number },
  at: string,
): Promise<void> {
  const [row] = await db<[{ warnings: ServerWarning[] | null }]>`
    select seen->'warnings' as warnings from servers where id = ${server_id}`;
  const warnings = withWarning(row.warnings ?? [], { code: 'port_changed', detail: `${from} → ${to}`, at });
  await db`update servers set seen = seen || ${db.json({ warnings } as never)} where id = ${server_id}`;
  const data = { from: String(from), to: String(to) };
  await recordEvent(db, { name: 'server.port_changed', server_id, data });
}
