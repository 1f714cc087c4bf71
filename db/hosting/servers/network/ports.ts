import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { lockChangeableServer } from '../locked.ts';
import { findAuthorizedServer, type ServerRecord } from '../read.ts';
import { markRestartDue } from '../restart-due.ts';
import { whyNotHave } from '../rules.ts';
import { freePort } from '../schedule.ts';
import { isAgentOutdated } from './read.ts';
import {
  game_port,
  max_extra_ports,
  port_name_length,
  portName,
  whyNotAddPort,
  whyNotNamePort,
} from './rules.ts';

interface NamedPort {
  port: number;
  name: string;
}

const portsOf = (db: Db, server_id: string) => db<NamedPort[]>`
  select port, name from server_ports
  where server_id = ${server_id} and name is not null and removed_generation is null order by port`;

function nameOf(text: string): string {
  const name = portName(text);
  if (name === null) throw new Refused('port_name_invalid', { most: port_name_length });
  return name;
}

/** Locks a server and its node, the node first as reports of agents do. Refuses as `whyNotHave.options` says. */
async function lockServer(db: Db, actor: Actor, server_id: string, now: Date): Promise<ServerRecord> {
  const { node_id } = await findAuthorizedServer(db, actor, server_id, now, whyNotHave.options);
  if (node_id) await db`select 1 from nodes where id = ${node_id} for no key update`;
  return await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
}

/**
 * Gives a server the lowest free port of its node, from its next start on; one that was removed since the last start comes
 * back first. Gives the port. Refuses as `whyNotHave.options` and `whyNotAddPort` say, `port_name_invalid`,
 * `server_not_ready` before it is on a node, `agent_outdated`, and `node_ports_used` when none is free.
 */
export async function addPort(
  db: Db,
  actor: Actor,
  wanted: { server_id: string; name: string },
  now: Date,
): Promise<number> {
  const { server_id } = wanted;
  const { node_id } = await lockServer(db, actor, server_id, now);
  const name = nameOf(wanted.name);
  if (!node_id) throw new Refused('server_not_ready');
  if (await isAgentOutdated(db, node_id)) throw new Refused('agent_outdated');
  const names = (await portsOf(db, server_id)).map((one) => one.name);
  assertAllowed(whyNotAddPort(names, name), { name, most: max_extra_ports });
  const port = (await takeBack(db, server_id, name)) ?? (await takeFree(db, node_id, server_id, name));
  await changed(db, server_id);
  await recordEvent(db, {
    ...{ name: 'server.port_added', actor_id: actor.user_id, server_id },
    data: { port, name },
  });
  return port;
}

async function takeBack(db: Db, server_id: string, name: string): Promise<number | null> {
  const [row] = await db<{ port: number }[]>`
    update server_ports set name = ${name}, removed_generation = null
    where server_id = ${server_id} and port = (
      select min(port) from server_ports where server_id = ${server_id} and removed_generation is not null)
    returning port`;
  return row?.port ?? null;
}

async function takeFree(db: Db, node_id: string, server_id: string, name: string): Promise<number> {
  // inside the container that number is the game's
  const port = await freePort(db, node_id, game_port);
  if (port === null) throw new Refused('node_ports_used');
  await db`insert into server_ports ${db({ node_id, port, server_id, name })}`;
  return port;
}

async function changed(db: Db, server_id: string): Promise<void> {
  await db`update servers set generation = generation + 1 where id = ${server_id}`;
  await markRestartDue(db, server_id);
}

/**
 * Renames a port of a server. Refuses as `whyNotHave.options` and `whyNotNamePort` say, `port_name_invalid` and
 * `port_unknown`.
 */
export async function renamePort(
  db: Db,
  actor: Actor,
  { server_id, port, ...wanted }: NamedPort & { server_id: string },
  now: Date,
): Promise<void> {
  await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const name = nameOf(wanted.name);
  const ports = await portsOf(db, server_id);
  const renamed = ports.find((one) => one.port === port);
  if (!renamed) throw new Refused('port_unknown', { port });
  const others = ports.filter((one) => one !== renamed).map((one) => one.name);
  assertAllowed(whyNotNamePort(others, name), { name });
  if (renamed.name === name) return;
  await db`update server_ports set name = ${name} where server_id = ${server_id} and port = ${port}`;
  const data = { port, from: renamed.name, to: name };
  await recordEvent(db, { name: 'server.port_renamed', actor_id: actor.user_id, server_id, data });
}

/**
 * Takes a port from a server. Others may get it once no process of this server has it: at once when it is down. Refuses as
 * `whyNotHave.options` says, and `port_unknown`.
 */
export async function removePort(
  db: Db,
  actor: Actor,
  { server_id, port }: { server_id: string; port: number },
  now: Date,
): Promise<void> {
  await lockChangeableServer(db, actor, server_id, now, whyNotHave.options);
  const removed = (await portsOf(db, server_id)).find((one) => one.port === port);
  if (!removed) throw new Refused('port_unknown', { port });
  await changed(db, server_id);
  await db`
    update server_ports p set removed_generation = s.generation
    from servers s where s.id = p.server_id and p.server_id = ${server_id} and p.port = ${port}`;
  await db`
    delete from server_ports p using servers s
    where s.id = p.server_id and p.server_id = ${server_id} and p.port = ${port}
      and s.power in ('stopped', 'crashed')`;
  const { name } = removed;
  await recordEvent(db, {
    ...{ name: 'server.port_removed', actor_id: actor.user_id, server_id },
    data: { port, name },
  });
}
