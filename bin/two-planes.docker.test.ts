import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { tinyServerImage } from '#agents/testing/tiny-server.ts';
import { closeClients } from '#control/testing/clients.ts';
import { Follower } from '#control/testing/follower.ts';
import { type PlaneProcess, planeProcess } from '#control/testing/plane-process.ts';
import { leaseOf } from '#db/nodes/read.ts';
import { addNode } from '#db/nodes/write.ts';
import { livePlanes } from '#db/planes/read.ts';
import { scheduleServer } from '#db/servers/schedule.ts';
import { setPower } from '#db/servers/write.ts';
import { actorFor, type BuiltUser, token, user } from '#db/testing/builders/build.ts';
import { server } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { root } from './install.mjs';

/** Two control planes and two real agents as processes, with game servers in Docker. */
const database = testDatabase();
let folder: string;
let planes: PlaneProcess[] = [];
const agents: ChildProcess[] = [];
let machines: Machine[] = [];

interface Machine {
  node_id: string;
  server_id: string;
  token: string;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cairn-two-planes-'));
  const image = await tinyServerImage(new Docker());
  const options = { database, data: join(folder, 'planes') };
  planes = await Promise.all([planeProcess(options), planeProcess(options)]);
  const owner = await user(database.sql);
  machines = await Promise.all([machine(0, owner, image), machine(1, owner, image)]);
}, 240_000);
afterAll(async () => {
  closeClients();
  for (const one of agents) one.kill('SIGKILL');
  await Promise.all(planes.map((plane) => plane.end()));
  const docker = new Docker();
  for (const { server_id } of machines)
    for (const { Id } of await docker.listContainers({
      all: true,
      filters: { label: [`${labels.server}=${server_id}`] },
    }))
      await docker.getContainer(Id).remove({ force: true });
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** A node with a real agent and a running game server. */
async function machine(number: number, owner: BuiltUser, image: string): Promise<Machine> {
  const { sql } = database;
  const ports = { port_from: 24_100 + 100 * number, port_to: 24_199 + 100 * number };
  const place = {
    region: `region-${number}`,
    public_address: '127.0.0.1',
    bind_address: '127.0.0.1',
    overcommit: 8,
  };
  const added = await addNode(sql, { name: `two-planes-${number}`, ...place, ...ports }, new Date());
  const urls = planes.map(({ url }) => url).join(',');
  const args = ['agents/testing/agent.ts', urls, join(folder, `agent-${number}`), image, added.join_token];
  agents.push(spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }));
  await expect
    .poll(async () => (await leaseOf(sql, added.id))?.holder, { timeout: 30_000 })
    .toEqual(expect.any(String));
  const server_id = await server(sql, owner, { region: place.region });
  await expect
    .poll(() => sql.begin((tx) => scheduleServer(tx, server_id, new Date())).catch(() => false), {
      timeout: 30_000,
    })
    .not.toBe(false);
  const lifecycle = async () =>
    (await sql`select lifecycle from servers where id = ${server_id}`)[0]?.lifecycle;
  await expect.poll(lifecycle, { timeout: 60_000 }).toBe('ready');
  const start = { server_id, op_id: crypto.randomUUID(), action: 'start' as const };
  await sql.begin((tx) => setPower(tx, actorFor(owner), start, new Date()));
  const power = async () => (await sql`select power from servers where id = ${server_id}`)[0]?.power;
  await expect.poll(power, { timeout: 60_000 }).toBe('running');
  return { node_id: added.id, server_id, token: await token(sql, owner) };
}

describe('two planes and two agents', () => {
  it('lose no line and no command when the plane of an agent is killed in a burst of 20,000', async () => {
    const { sql } = database;
    const [first, second] = machines as [Machine, Machine];
    const { holder } = (await leaseOf(sql, first.node_id))!;
    const [dying] = await livePlanes(sql, holder);
    const [a, b] = planes.toSorted((one) => (one.url === dying!.address ? -1 : 1)) as [
      PlaneProcess,
      PlaneProcess,
    ];
    const near = new Follower([a.url, b.url], first);
    const far = new Follower([b.url, a.url], first);
    const other = new Follower([b.url, a.url], second);
    const all = [near, far, other];
    for (const one of all)
      await expect.poll(() => one.type('say here'), { timeout: 20_000 }).toEqual({ ok: true });
    for (const one of all) await expect.poll(() => one.texts.at(-1)).toBe('[Server] here');
    expect(await other.type('tick 20')).toEqual({ ok: true });
    expect(await near.type('spam 20000')).toEqual({ ok: true });
    await expect.poll(() => near.texts.length, { interval: 5 }).toBeGreaterThan(500);
    const killed_at = performance.now();
    await a.end();
    for (const one of [near, far])
      await expect
        .poll(() => one.texts.at(-1), { timeout: 30_000, interval: 20 })
        .toBe('spam 20000 of 20000');
    const went_on_s = (performance.now() - killed_at) / 1000;
    console.log(
      `the plane was killed in a burst: both viewers have all lines after ${went_on_s.toFixed(1)} s`,
    );
    expect((await leaseOf(sql, first.node_id))!.holder).not.toBe(holder);
    expect(await near.type('say after')).toEqual({ ok: true });
    for (const one of [near, far]) {
      await expect.poll(() => one.texts.at(-1)).toBe('[Server] after');
      const spam = one.texts.filter((text) => text.startsWith('spam '));
      expect(spam).toEqual(Array.from({ length: 20_000 }, (_, i) => `spam ${i + 1} of 20000`));
    }
    const ticks = other.texts.filter((text) => text.startsWith('tick '));
    expect(ticks).toEqual(ticks.map((_, i) => `tick ${i + 1}`));
    for (const one of all) expect({ gaps: one.gaps, doubled: one.doubled }).toEqual({ gaps: 0, doubled: 0 });
    for (const one of all) one.close();
  });
});
