import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { openStateStore } from '#agents/state/store.ts';
import type { Cluster } from './cluster.ts';
import type { MoveRun } from './move-run.ts';
import type { Placed } from './placed.ts';
import { filesOfCairn, sumOfWorld } from './world-files.ts';

/** What must be true of servers that are moved, after whatever was killed. */

const folderOn = ({ nodes }: Cluster, node_id: string, server_id: string): string =>
  join(nodes.find(({ id }) => id === node_id)!.data, 'servers', server_id);

/** The files of a server on its node. */
export const filesOf = (ground: Cluster, { id, node_id }: Placed): string => folderOn(ground, node_id, id);

/** Every server is at rest on its own node, complete and as it was; nowhere else is anything of it. */
export async function expectPlaces({ sql, ground, servers }: MoveRun): Promise<void> {
  const [open] = await sql`
    select kind from server_tasks where ended is null union all select 'operation' from server_operations where ended is null
    union all select 'copy' from server_copies`;
  expect(open).toBeUndefined();
  await expectRoom({ sql, servers });
  const containers = await ground.docker.listContainers({ all: true });
  for (const server of servers) {
    const { id, node_id, on, sum } = server;
    const [row] = await sql`select node_id, lifecycle, power_wanted, power from servers where id = ${id}`;
    const power = on ? { power_wanted: 'on', power: 'running' } : { power_wanted: 'off', power: 'stopped' };
    expect(row, id).toEqual({ node_id, lifecycle: 'ready', ...power });
    expect(sumOfWorld(filesOf(ground, server)), `the world of ${id}`).toBe(sum);
    for (const other of ground.nodes)
      if (other.id !== node_id)
        expect(existsSync(folderOn(ground, other.id, id)), `${id} on ${other.part}`).toBe(false);
    const own = containers.filter(({ Labels }) => Labels[labels.server] === id);
    const alive = own.filter(({ State }) => State === 'running');
    expect(own.every(({ Labels }) => Labels[labels.node] === node_id)).toBe(true);
    expect(alive, `containers of ${id}`).toHaveLength(on ? 1 : 0);
    for (const { Id } of alive) expect(await isSavingOff(ground, Id), `saving of ${id} is off`).toBe(false);
  }
}

/** What nodes have reserved, and their ports, are those of the servers on them. */
async function expectRoom({ sql, servers }: Pick<MoveRun, 'sql' | 'servers'>): Promise<void> {
  const here = servers.map(({ id, node_id }) => `${id} ${node_id}`).sort();
  const reserved = await sql<{ id: string; node_id: string; ram: boolean }[]>`
    select r.id, r.node_id, r.ram_mb = s.ram_mb and r.disk_mb = s.disk_mb and r.cpu_millis = s.cpu_millis as ram
    from reserved_servers r join servers s on s.id = r.id`;
  expect(reserved.map(({ id, node_id }) => `${id} ${node_id}`).sort()).toEqual(here);
  expect(reserved.every(({ ram }) => ram)).toBe(true);
  const ports = await sql<
    { server_id: string; node_id: string }[]
  >`select server_id, node_id from server_ports`;
  expect(ports.map(({ server_id, node_id }) => `${server_id} ${node_id}`).sort()).toEqual(here);
}

/** Whether a process said last that it does not save. */
async function isSavingOff({ docker }: Cluster, container_id: string): Promise<boolean> {
  const log = await docker.getContainer(container_id).logs({ stdout: true, stderr: true });
  const said = log.toString('utf8').match(/Automatic saving is now \w+/g) ?? [];
  return said.at(-1) === 'Automatic saving is now disabled';
}

/** Nothing of what was under way is left on the disks; the agents do not run any more. */
export async function expectNoRemains({ ground, servers }: MoveRun): Promise<void> {
  for (const server of servers)
    expect(filesOfCairn(filesOf(ground, server)), `in the folder of ${server.id}`).toEqual([]);
  for (const { id, data } of ground.nodes) {
    const here = servers.filter(({ node_id }) => node_id === id).map((server) => server.id);
    const folders = existsSync(join(data, 'servers')) ? readdirSync(join(data, 'servers')) : [];
    expect(folders.sort()).toEqual([...here].sort());
    const store = openStateStore(data);
    try {
      expect(
        store.servers
          .all()
          .map((server) => server.id)
          .sort(),
      ).toEqual([...here].sort());
      expect(store.operations.unfinished()).toEqual([]);
      for (const server of servers)
        for (const kind of ['restoring', 'saving_off', 'changing'] as const)
          expect(store.journal.find(server.id, kind), `${kind} of ${server.id}`).toBeNull();
    } finally {
      store.close();
    }
  }
}
