import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unmountBelow } from '#agents/disk/mounts.ts';
import { labels } from '#agents/docker/client.ts';
import { tinyServerImage } from '#agents/testing/tiny-server.ts';
import { startControlPlane, type TestControlPlane } from '#control/testing/plane.ts';
import { storageFolder } from '#control/testing/stored-backups.ts';
import { addNode, reissueJoinToken } from '#db/nodes/write.ts';
import { requestRestore } from '#db/servers/backups/restore.ts';
import { createBackup, deleteBackups } from '#db/servers/backups/write.ts';
import { requestMove } from '#db/servers/moves/request.ts';
import { scheduleServer } from '#db/servers/schedule.ts';
import { setPower } from '#db/servers/write.ts';
import { diskStorage } from '#db/storage/disk.ts';
import { actorFor, type BuiltUser, user } from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';

/** Backups that outlive their node: a real control plane, Postgres, Docker and two agents with their own folders. */
const database = testDatabase();
const disk = storageFolder();
const docker = new Docker();
const folders = mkdtempSync(join(tmpdir(), `cairn-agent-${process.pid}-`));
let plane: TestControlPlane;
let image: string;
let owner: BuiltUser;
const agents: ChildProcess[] = [];

interface Machine {
  node_id: string;
  region: string;
  data: string;
  agent: ChildProcess;
}

beforeAll(async () => {
  image = await tinyServerImage(docker);
  plane = await startControlPlane(database.sql, 0, undefined, { storage: diskStorage(disk.folder) });
  owner = await user(database.sql);
});
afterAll(async () => {
  for (const one of agents) one.kill('SIGKILL');
  const label = `${labels.installation}=${plane.plane.context.installation}`;
  const own = await docker.listContainers({ all: true, filters: { label: [label] } });
  await Promise.all(own.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true })));
  await plane.close();
  await unmountBelow(folders);
  rmSync(folders, { recursive: true, force: true });
  disk.end();
});

function startAgent(data: string, token: string): ChildProcess {
  mkdirSync(data, { recursive: true });
  const args = ['agents/testing/agent.ts', plane.url, data, image, token];
  const agent = spawn(process.execPath, args, { stdio: 'inherit' });
  agents.push(agent);
  return agent;
}

/** A node with an agent. */
async function emptyMachine(region: string): Promise<Machine> {
  const name = `n-${randomUUID().slice(0, 8)}`;
  const made = { name, region, public_address: 'play.example.test' };
  const { id: node_id, join_token } = await addNode(database.sql, made, new Date());
  const data = join(folders, name);
  const agent = startAgent(data, join_token);
  await expect
    .poll(() => database.sql`select 1 from nodes where id = ${node_id} and status = 'online'`, {
      timeout: 60_000,
    })
    .toHaveLength(1);
  return { node_id, region, data, agent };
}

/** A node with an agent, and a server on it that is installed and off. */
async function machine(): Promise<Machine & { server_id: string }> {
  const region = `r-${randomUUID().slice(0, 8)}`;
  const made = await emptyMachine(region);
  const server_id = await server(database.sql, owner, { region, ram_mb: 128 });
  await database.sql`update servers set disk_mb = 1024 where id = ${server_id}`;
  await database.sql.begin((tx) => scheduleServer(tx, server_id, new Date()));
  await installed(server_id);
  return { ...made, server_id };
}
const installed = (server_id: string) =>
  expect
    .poll(() => database.sql`select 1 from servers where id = ${server_id} and lifecycle = 'ready'`, {
      timeout: 60_000,
    })
    .toHaveLength(1);
const filesOf = ({ data }: Machine, server_id: string) => join(data, 'servers', server_id);

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
  const { settings } = plane.plane.context;
  const op_id = randomUUID();
  const wanted = { server_id, backup_id, op_id, to, safety: false, stop: false };
  await database.sql.begin((tx) => requestRestore(tx, actorFor(owner), wanted, settings, new Date()));
  await expect
    .poll(
      async () => (await database.sql`select step from server_restores where op_id = ${op_id}`)[0]?.step,
      {
        timeout: 60_000,
      },
    )
    .toBe('done');
}

describe('a backup at the platform', () => {
  it('is restored on another node, and on its own set up again, after its node was lost', async () => {
    const [first, second] = [await machine(), await machine()];
    const world = randomBytes(30 * 1024 * 1024);
    writeFileSync(join(filesOf(first, first.server_id), 'world'), world);
    writeFileSync(join(filesOf(first, first.server_id), 'motd'), 'of the first');

    const wanted = { server_id: first.server_id, op_id: randomUUID() };
    const { settings } = plane.plane.context;
    const { id } = await database.sql.begin((tx) =>
      createBackup(tx, actorFor(owner), wanted, settings, new Date()),
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
    first.agent = startAgent(first.data, join_token);
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
    await database.sql.begin((tx) => deleteBackups(tx, actorFor(owner), gone, new Date()));
    expect(await backup(id)).toBeUndefined();
    const { removeRemains } = await import('#db/servers/backups/remains.ts');
    await removeRemains(database.sql, diskStorage(disk.folder), new Date(Date.now() + 1_000), 10);
    expect(disk.stored()).toEqual([]);
  });
});

it('a server that runs moves to another node with every byte, and its old node is cleaned', async () => {
  const first = await machine();
  const { server_id } = first;
  const second = await emptyMachine(first.region);
  const world = randomBytes(20 * 1024 * 1024);
  mkdirSync(join(filesOf(first, server_id), 'world/region'), { recursive: true });
  writeFileSync(join(filesOf(first, server_id), 'world/region/r.0.0.mca'), world);
  const power = async () =>
    (await database.sql<{ power: string }[]>`select power from servers where id = ${server_id}`)[0]?.power;
  const start = { server_id, op_id: randomUUID(), action: 'start' } as const;
  await database.sql.begin((tx) => setPower(tx, actorFor(owner), start, new Date()));
  await expect.poll(power, { timeout: 60_000 }).toBe('running');

  const wanted = { id: randomUUID(), server_id, to_node: second.node_id, drop_backups: false };
  await database.sql.begin((tx) =>
    requestMove(tx, wanted, { actor_id: owner.id, reason: 'staff' }, new Date()),
  );
  const moved = async () =>
    (
      await database.sql`
      select m.step, m.error, s.node_id from server_moves m join servers s on s.id = m.server_id where m.id = ${wanted.id}`
    )[0];
  await expect
    .poll(moved, { timeout: 100_000 })
    .toMatchObject({ step: 'done', error: null, node_id: second.node_id });
  await expect.poll(power, { timeout: 60_000 }).toBe('running');
  const there = join(filesOf(second, server_id), 'world/region/r.0.0.mca');
  expect(readFileSync(there).equals(world)).toBe(true);
  await expect
    .poll(() => database.sql`select 1 from server_copies where server_id = ${server_id}`, { timeout: 60_000 })
    .toHaveLength(0);
  expect(existsSync(join(filesOf(first, server_id), 'world'))).toBe(false);
});
