import type { Db } from '../../platform/postgres/sql.ts';

/** Files of a server on nodes that it is not on: kept while it may go back, then removed by the agent there. */

/** Keeps what is on the node that a server leaves. The row of the server is locked. */
export const keepCopy = (db: Db, server_id: string) => db`
  insert into server_copies (server_id, node_id, port, generation, kept, extra_ports)
  select id, node_id, port, generation, true, (
    select coalesce(jsonb_agg(jsonb_build_object('port', p.port, 'name', p.name)), '[]') from server_ports p
    where p.server_id = servers.id and p.name is not null and p.removed_generation is null)
  from servers where id = ${server_id} and node_id is not null
  on conflict (server_id, node_id) do update
    set port = excluded.port, generation = excluded.generation, extra_ports = excluded.extra_ports, kept = true`;

/** Lets the agents of other nodes remove what they have of a server. */
export const releaseCopies = (db: Db, server_id: string) => db`
  update server_copies set kept = false where server_id = ${server_id} and kept`;

/** Goes back to the kept copy: what is on the node that the server was moved to is removed. Gives false when there is none. */
export async function returnToCopy(db: Db, server_id: string): Promise<boolean> {
  const [copy] = await db<{ node_id: string; port: number; extra_ports: object[] }[]>`
    delete from server_copies where server_id = ${server_id} and kept returning node_id, port, extra_ports`;
  if (!copy) return false;
  await db`
    insert into server_copies (server_id, node_id, port, generation, kept)
    select id, node_id, port, generation, false from servers where id = ${server_id} and node_id is not null
    on conflict (server_id, node_id) do update set kept = false`;
  await db`
    update servers set node_id = ${copy.node_id}, port = ${copy.port}, generation = generation + 1,
      lifecycle = case when lifecycle = 'suspended' then lifecycle else 'ready' end, lifecycle_data = case
        when lifecycle = 'suspended' then lifecycle_data else '{}' end, seen = seen || '{"installed": 1}'
    where id = ${server_id}`;
  await db`
    insert into server_ports (node_id, port, server_id, name)
    select ${copy.node_id}, p.port, ${server_id}, p.name
    from jsonb_to_recordset(${db.json(copy.extra_ports as never)}) as p (port integer, name text)
    on conflict do nothing`;
  return true;
}

/** The agent of a node has removed what it had of a server that is elsewhere. */
export const copyRemoved = (db: Db, server_id: string, node_id: string) => db`
  delete from server_copies where server_id = ${server_id} and node_id = ${node_id} and not kept`;
