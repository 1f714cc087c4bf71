import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';
import { reissueJoinToken } from '#db/hosting/nodes/write.ts';
import { requestRestore } from '#db/hosting/servers/backups/restore.ts';
import { createBackup, deleteBackups } from '#db/hosting/servers/backups/write.ts';
import { diskStorage } from '#db/platform/storage/disk.ts';
import { actorFor } from '#db/testing/builders/build.ts';
import { type Machine, testMachines } from './testing/machines.ts';

/** Backups that outlive their node: a real control plane, Postgres, Docker and two agents with their own folders. */
const machines = testMachines();
const { database, disk, docker, here, filesOf, machine } = machines;

async function lose({ agent, data }: Machine, server_id: string): Promise<void> {
  agent.kill('SIGKILL');
  const label = `${labels.server}=${server_id}`;
  for (const { Id } of await docker.listContainers({ all: true, filters: { label: [label] } }))
    await docker.getContainer(Id).remove({ force: true });
  await unmountBelow(data);
  rmSync(data, { recursive: true, force: true });
}

const backup = async (id: string) =>
  (
    await database.sql<{ state: string; target: string; error: object | null }[]>`
    select state, target, error from server_backups where id = ${id}`
  )[0];

async function restore(server_id: string, backup_id: string, to: string): Promise<void> {
  const { settings } = here.plane.plane.context;
  const op_id = randomUUID();
  const wanted = { server_id, backup_id, op_id, to, safety: false, stop: false };
  await database.sql.begin((tx) => requestRestore(tx, actorFor(here.owner), wanted, settings, new Date()));
  await expect
    .poll(async () => (await database.sql`select step from server_tasks where id = ${op_id}`)[0]?.step, {
      timeout: 60_000,
    })
    .toBe('done');
}

describe('a backup at the platform', () => {
  it('is restored on another node, and on its own set up again, after its node was lost', async () => {
    const [first, second] = [await machine(), await machine()];
    const world = randomBytes(30 * 1024 * 1024);
    writeFileSync(join(filesOf(first, first.server_id), 'world'), world);
    writeFileSync(join(filesOf(first, first.server_id), 'motd'), 'of the first');

    const wanted = { server_id: first.server_id, op_id: randomUUID() };
    const { settings } = here.plane.plane.context;
    const { id } = await database.sql.begin((tx) =>
      createBackup(tx, actorFor(here.owner), wanted, settings, new Date()),
    );
    // nobody chose a target: there are two nodes
    await expect
      .poll(() => backup(id), { timeout: 60_000 })
      .toMatchObject({ state: 'done', target: 'platform' });
    expect(disk.stored()).toEqual([`${first.server_id}/${id}.json`, `${first.server_id}/${id}.tar.zst`]);
    expect(disk.staged()).toEqual([]);

    await lose(first, first.server_id);
    await restore(first.server_id, id, second.server_id);
    const there = filesOf(second, second.server_id);
    expect(readFileSync(join(there, 'world')).equals(world)).toBe(true);
    expect(readFileSync(join(there, 'motd'), 'utf8')).toBe('of the first');

    // the node is set up again, with nothing
    const { join_token } = await reissueJoinToken(database.sql, first.node_id, new Date());
    const since = new Date();
    first.agent = machines.startAgent(first.data, join_token);
    await expect
      .poll(
        () => database.sql`
          select 1 from agent_events where node_id = ${first.node_id} and received > ${since} and type = 'server.installed'`,
        { timeout: 60_000 },
      )
      .toHaveLength(1);
    await restore(first.server_id, id, first.server_id);
    expect(readFileSync(join(filesOf(first, first.server_id), 'world')).equals(world)).toBe(true);

    // it goes without its agent
    await lose(first, first.server_id);
    const gone = { server_id: first.server_id, backup_ids: [id] };
    await database.sql.begin((tx) => deleteBackups(tx, actorFor(here.owner), gone, new Date()));
    expect(await backup(id)).toBeUndefined();
    const { removeRemains } = await import('#db/hosting/servers/backups/remains.ts');
    await removeRemains(database.sql, diskStorage(disk.folder), new Date(Date.now() + 1_000), 10);
    expect(disk.stored()).toEqual([]);
  });
});

it('clocks of nodes that are wrong by an hour change nothing about moves and addresses that work once', async () => {
  const hour = 3_600_000;
  const region = `r-${randomUUID().slice(0, 8)}`;
  const first = await machines.emptyMachine(region, hour);
  const server_id = await machines.serverIn(region);
  const second = await machines.emptyMachine(region, -hour);
  const world = randomBytes(1024 * 1024);
  writeFileSync(join(filesOf(first, server_id), 'world'), world);
  await machines.power(server_id, 'start');
  await machines.becomes(server_id, { power: 'running' });
  for (const to of [second, first]) {
    const began = Date.now();
    const id = await machines.move(server_id, to.node_id);
    await machines.moveIs(id, { step: 'done', error: null });
    await machines.becomes(server_id, { power: 'running', node_id: to.node_id });
    expect(readFileSync(join(filesOf(to, server_id), 'world')).equals(world)).toBe(true);
    const [move] = await database.sql`select began as created, ended from server_tasks where id = ${id}`;
    expect(Date.parse(move!.ended) - began).toBeLessThan(hour / 2);
    // the agent that it left has removed it: it may come back
    await machines.copiesGone(server_id);
  }
});
