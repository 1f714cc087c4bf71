import { randomUUID } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '#db/people/rules.ts';
import { suspendServer } from '#db/servers/write.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { facts } from '#db/testing/builders/hosting.ts';
import { testDatabase } from '#db/testing/database.ts';
import { closeClients, staff } from '../testing/clients.ts';
import {
  type RentedServer,
  rentServer,
  running,
  serverOf,
  startControlPlane,
  type TestControlPlane,
} from '../testing/plane.ts';
import { agent, powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
let plane: TestControlPlane;
let desk: Socket;
beforeAll(async () => {
  plane = await startControlPlane(database.sql);
  desk = await deskOf('admin');
});
afterAll(async () => {
  closeClients();
  await plane.close();
});

const deskOf = async (
  role: 'admin' | 'moderator' | 'developer',
  scopes: readonly Scope[] | 'all' = 'all',
): Promise<Socket> => {
  const key = await token(database.sql, await user(database.sql, { role }), scopes);
  return (await staff(plane.url, key)) as unknown as Socket;
};
const ask = (event: string, message: object, from = desk) => from.timeout(20_000).emitWithAck(event, message);
const resize = ({ id }: Pick<RentedServer, 'id'>, size: object, from = desk) =>
  ask('server.resize', { server_id: id, ...size }, from);
const last = ({ screen }: RentedServer) => screen.received.state.at(-1)?.server;

/** A renter who looks at a running server. */
const open = async () => {
  const renter = await rentServer(database.sql, plane.url);
  await running(renter);
  await renter.screen.request('server.join', { server_id: renter.id, rooms: ['state'] });
  return renter;
};
const shown = (renter: RentedServer) => expect.poll(() => last(renter));

describe('another size', () => {
  it('is upgrading on open panels until the agent has applied it', async () => {
    const renter = await open();
    const { id, runner, screen } = renter;
    const answer = await resize(renter, { ram_gb: 6, cpu: 1.5 });
    expect(answer).toMatchObject({
      ok: true,
      server: { lifecycle: 'upgrading', ram_mb: 6_144, cpu_millis: 1_500, disk_mb: 49_152 },
    });
    await shown(renter).toMatchObject({ lifecycle: 'upgrading', ram_mb: 6_144, state: 'running' });
    await expect
      .poll(() => runner.specs.get(id))
      .toMatchObject({ ram_mb: 6_144, resize_seq: 1, generation: 2 });
    const stop = { server_id: id, op_id: randomUUID(), action: 'stop' } as const;
    expect(await screen.request('server.power', stop)).toMatchObject({ error: 'server_upgrading' });
    expect(await resize(renter, { ram_gb: 8 })).toMatchObject({ error: 'server_upgrading' });
    // what was told of the size before says nothing of this one
    await runner.report('server.installed', id, { generation: 1 });
    await runner.report('server.resized', id, { generation: 1, at_start: false });
    expect(await screen.request('server.show', { server_id: id })).toMatchObject({
      server: { lifecycle: 'upgrading' },
    });
    await runner.report('server.resized', id, { generation: 2, at_start: true });
    await shown(renter).toMatchObject({ lifecycle: 'ready', lifecycle_data: {}, restart_due: true });
    await runner.report('server.power', id, powerReport('stopped'));
    await shown(renter).toMatchObject({ state: 'stopped', restart_due: false });
  });

  it('of a stopped server is applied once that is installed again', async () => {
    const renter = await open();
    await renter.runner.report('server.power', renter.id, powerReport('stopped'));
    await resize(renter, { ram_gb: 2 });
    await shown(renter).toMatchObject({ ram_mb: 2_048, disk_mb: 32_768 }); // disks never shrink by themselves
    await renter.runner.report('server.installed', renter.id, { generation: 2 });
    await shown(renter).toMatchObject({ lifecycle: 'ready', ram_mb: 2_048, restart_due: false });
  });

  it('is allocated on its node, to one of two requests at once, and never beyond its capacity', async () => {
    const { sql } = database;
    const renter = await open();
    const [{ region } = { region: '' }] = await sql<
      { region: string }[]
    >`select region from nodes where id = ${renter.node.id}`;
    const other = { id: await serverOf(sql, renter.runner, renter.owner, region) };
    // 16 GB in all, 4 for each: one of them may have 12, not both
    const answers = await Promise.all([
      resize(renter, { ram_gb: 12, cpu: 2, disk_gb: 32 }),
      resize(other, { ram_gb: 12, cpu: 2, disk_gb: 32 }),
    ]);
    expect(answers.map(({ error }) => error).sort()).toEqual(['node_full', undefined]);
    for (const size of [{ ram_gb: 4, cpu: 9 }, { ram_gb: 4, disk_gb: 200 }, { ram_gb: 20 }])
      expect(await resize(answers[0].ok ? other : renter, size)).toMatchObject({ error: 'node_full' });
    const taken = await sql<{ ram_mb: number }[]>`
      select ram_mb from servers where node_id = ${renter.node.id} order by ram_mb`;
    expect(taken.map(({ ram_mb }) => ram_mb)).toEqual([4_096, 12_288]);
  });

  it('has no more cores than the machine, however much is allocated', async () => {
    const renter = await open();
    await database.sql`update nodes set overcommit = 4 where id = ${renter.node.id}`;
    const cores = facts.cpu_millis / 1000;
    expect(await resize(renter, { ram_gb: 8, cpu: cores + 1 })).toMatchObject({ error: 'node_full' });
    expect(await resize(renter, { ram_gb: 8, cpu: cores })).toMatchObject({ ok: true });
  });

  it('requested while the agent is away waits for it', async () => {
    const renter = await open();
    const { runner, node, id } = renter;
    runner.close();
    await expect.poll(() => plane.plane.context.agents.has(node.id)).toBe(false);
    expect(await resize(renter, { ram_gb: 6 })).toMatchObject({ ok: true });
    await shown(renter).toMatchObject({ lifecycle: 'upgrading' });
    const back = await agent(
      plane.url,
      { node_id: node.id, secret: runner.welcome.secret },
      { [id]: { generation: 1, hash: '' } },
      runner,
    );
    expect(back.reconciled.specs).toMatchObject([{ server_id: id, ram_mb: 6_144, resize_seq: 1 }]);
    await back.report('server.resized', id, { generation: 2, at_start: false });
    await shown(renter).toMatchObject({ lifecycle: 'ready', restart_due: false });
  });

  it('that it has already changes nothing', async () => {
    const renter = await open();
    expect(await resize(renter, { ram_gb: 4 })).toMatchObject({
      server: { lifecycle: 'ready', generation: 1 },
    });
  });

  it('is refused in other states with their reason', async () => {
    const renter = await open();
    const { sql } = database;
    for (const [lifecycle, code] of [
      ['installing', 'server_not_ready'],
      ['broken', 'server_broken'],
      ['suspended', 'server_suspended'],
      ['deprovisioning', 'server_not_found'],
    ] as const) {
      await sql`update servers set lifecycle = ${lifecycle} where id = ${renter.id}`;
      expect(await resize(renter, { ram_gb: 6 }), lifecycle).toMatchObject({ ok: false, error: code });
    }
    expect(await resize({ id: 'zzzzzzzz' }, { ram_gb: 6 })).toMatchObject({ error: 'server_not_found' });
  });
});

describe('a suspension by staff', () => {
  it('stops the server with its reason, and ends by staff', async () => {
    const renter = await open();
    const { id, runner } = renter;
    expect(await ask('server.suspend', { server_id: id, reason: 'moderated' })).toMatchObject({ ok: true });
    await shown(renter).toMatchObject({ lifecycle: 'suspended', lifecycle_data: { reason: 'moderated' } });
    await expect.poll(() => runner.specs.get(id)).toMatchObject({ suspended: true, power: 'off' });
    expect(await ask('server.resume', { server_id: id })).toMatchObject({ server: { lifecycle: 'ready' } });
    await expect.poll(() => runner.specs.get(id)).toMatchObject({ suspended: false, power: 'off' });
    expect(await ask('server.resume', { server_id: id }), 'again').toMatchObject({ ok: true });
  });

  it('is none of those of billing, and ends none of those', async () => {
    const { id } = await open();
    for (const reason of ['cancelled', 'payment_failed', 'trial_ended', 'bored'])
      expect(await ask('server.suspend', { server_id: id, reason })).toMatchObject({
        error: 'invalid_input',
      });
    await database.sql.begin((tx) => suspendServer(tx, id, 'payment_failed'));
    expect(await ask('server.resume', { server_id: id })).toMatchObject({ error: 'server_suspended' });
    expect(await ask('server.resume', { server_id: 'zzzzzzzz' })).toMatchObject({
      error: 'server_not_found',
    });
  });
});

it('is refused to others alike, whether the server exists or not', async () => {
  const { id, owner } = await open();
  const own = (await staff(plane.url, await token(database.sql, owner))) as unknown as Socket;
  const reads = await deskOf('admin', ['SERVER_READ']);
  const [moderator, stranger] = [await deskOf('moderator'), await deskOf('developer')];
  for (const [event, more] of [
    ['server.resize', { ram_gb: 6 }],
    ['server.suspend', { reason: 'moderated' }],
    ['server.resume', {}],
  ] as const)
    for (const server_id of [id, 'zzzzzzzz']) {
      for (const from of [own, moderator, stranger])
        expect(await ask(event, { server_id, ...more }, from), event).toMatchObject({ error: 'admins_only' });
      expect(await ask(event, { server_id, ...more }, reads)).toMatchObject({ error: 'scope_missing' });
    }
  await expect(staff(plane.url, 'mrp_nobody')).rejects.toThrow('token_invalid');
  const [row] = await database.sql`select lifecycle, generation::int from servers where id = ${id}`;
  expect(row).toEqual({ lifecycle: 'ready', generation: 1 });
});

describe('the list of control planes', () => {
  it('has leases and loads of each, live, for administrators only', async () => {
    const second = await startControlPlane(database.sql);
    const renter = await rentServer(database.sql, second.url);
    await renter.screen.request('server.join', { server_id: renter.id, rooms: ['console'] });
    const heard: { planes: { id: string; agents: number; leases: number; viewers: number }[] }[] = [];
    desk.on('nodes', (message) => heard.push(message));
    const { ok, planes } = await ask('node.list', {});
    expect([ok, planes.map((one: { alive: boolean }) => one.alive)]).toEqual([true, [true, true]]);
    const { id } = second.plane.context;
    const own = () => heard.at(-1)?.planes.find((one) => one.id === id);
    await expect.poll(own).toMatchObject({ agents: 1, leases: 1, viewers: 1 });
    expect(await ask('node.list', {}, await deskOf('moderator'))).toMatchObject({ error: 'admins_only' });
    await second.close();
    await expect.poll(() => heard.at(-1)?.planes.map((one) => one.id)).toEqual([plane.plane.context.id]);
  });
});
