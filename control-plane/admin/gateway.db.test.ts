import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { suspendServer } from '#db/hosting/servers/write.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
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
  const person = await user(database.sql, { role });
  const key =
    scopes === 'all' ? await session(database.sql, person) : await token(database.sql, person, scopes);
  return (await staff(plane.url, key)) as unknown as Socket;
};
/** Its answer; asks again when it is told to, as `cairn` does: one page sends less than these tests do together. */
const ask = async (event: string, message: object, from = desk) => {
  const end = Date.now() + 20_000;
  for (;;) {
    const answer = await from.timeout(20_000).emitWithAck(event, message);
    if (answer.retry_after_ms === undefined || Date.now() + answer.retry_after_ms > end) return answer;
    await setTimeout(answer.retry_after_ms);
  }
};
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
    const loser = answers[0].ok ? other : renter;
    expect(await resize(loser, { ram_gb: 4, disk_gb: 200 })).toMatchObject({ error: 'node_full' });
    for (const size of [{ ram_gb: 4, cpu: 9 }, { ram_gb: 20 }])
      expect(await resize(loser, size)).toMatchObject({ error: 'node_too_small' });
    const taken = await sql<{ ram_mb: number }[]>`
      select ram_mb from servers where node_id = ${renter.node.id} order by ram_mb`;
    expect(taken.map(({ ram_mb }) => ram_mb)).toEqual([4_096, 12_288]);
  });

  it('has no more cores than the machine, however much is allocated', async () => {
    const renter = await open();
    await database.sql`update nodes set overcommit = 4 where id = ${renter.node.id}`;
    const cores = facts.cpu_millis / 1000;
    expect(await resize(renter, { ram_gb: 8, cpu: cores + 1 })).toMatchObject({
      error: 'node_too_small',
    });
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
  const reads = await deskOf('admin', ['SERVER_READ', 'STAFF']);
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

describe('nodes', () => {
  const added = async (more: object = {}) => {
    const name = `n-${randomUUID().slice(0, 8)}`;
    const wish = { name, region: 'western-europe', public_address: 'play.example.test', ...more };
    return { name, answer: await ask('node.add', wish) };
  };

  it('are added with a command that joins a machine once, and is stored nowhere', async () => {
    const { name, answer } = await added({ port_from: 26_000, port_to: 26_010, ram_gb: 3, overcommit: 2 });
    expect(answer).toMatchObject({ ok: true, node: { name, status: 'new', ports: { all: 11 } } });
    const [, join_token = ''] = /--join (\S+)$/.exec(answer.command) ?? [];
    const { sql } = database;
    expect(JSON.stringify(await sql`select * from nodes`)).not.toContain(join_token);
    const runner = await agent(plane.url, { join_token });
    expect(runner.welcome).toMatchObject({ node_id: answer.node.id });
    const [event] = await sql`
      select actor_id, name from events where node_id = ${answer.node.id} order by id limit 1`;
    expect(event).toMatchObject({ name: 'node.added', actor_id: expect.any(String) });
    await expect(agent(plane.url, { join_token })).rejects.toThrow('join_token_invalid');

    const again = await ask('node.rejoin', { node_id: answer.node.id });
    expect(again.command).not.toBe(answer.command);
    runner.socket.on('secret.rotate', (_, taken) => taken({ ok: true }));
    // connected: its agent gets the secret, and nobody else sees it
    expect(await ask('node.rotate', { node_id: answer.node.id })).toEqual({ ok: true, secret: null });
    expect(await ask('node.remove', { node_id: answer.node.id })).toEqual({ ok: true });
    expect(await ask('node.remove', { node_id: answer.node.id })).toMatchObject({ error: 'node_unknown' });
  });

  it('without an agent show a new secret once', async () => {
    const { answer } = await added();
    const { secret } = await ask('node.rotate', { node_id: answer.node.id });
    expect(secret).toMatch(/^cna_/);
  });

  it('are refused with what to change', async () => {
    const codes = [];
    for (const more of [
      { name: 'Big Name' },
      { public_address: 'play.example.org:80' },
      { public_address: 'https://play.example.org' },
      { port_from: 30_000, port_to: 29_999 },
      { port_from: 80, port_to: 90 },
      { region: 'moon' },
      { bind_address: 'everywhere' },
    ])
      codes.push((await added(more)).answer.error);
    expect(codes).toEqual([
      ...['node_name_invalid', 'node_address_invalid', 'node_address_invalid', 'node_ports_invalid'],
      ...['node_ports_invalid', 'invalid_input', 'invalid_input'],
    ]);
    const { name } = await added();
    expect((await added({ name })).answer).toMatchObject({ error: 'node_name_taken' });
  });

  it('with servers stay, and say which of them cannot move and why', async () => {
    const { id, node } = await open();
    expect(await ask('node.remove', { node_id: node.id })).toMatchObject({ error: 'node_not_empty' });
    expect(await ask('node.give_up', { node_id: node.id })).toMatchObject({ error: 'node_online' });
    expect(await ask('node.empty', { node_id: node.id, drop_backups: false })).toMatchObject({
      moving: 0,
      staying: [{ server_id: id, code: 'no_other_node', why: expect.stringContaining('room') }],
    });
    const moves = await database.sql`select 1 from server_tasks where server_id = ${id}`;
    expect(moves, 'it is not stopped in vain').toHaveLength(0);
  });
});

describe('the search for servers', () => {
  it('finds by name, owner, address and ID, in pages, and tells of changes', async () => {
    const { sql } = database;
    const renter = await open();
    const [on] = await sql<{ region: string }[]>`select region from nodes where id = ${renter.node.id}`;
    const other = await serverOf(sql, renter.runner, renter.owner, on!.region);
    const name = `Needle ${renter.id} 100%_`;
    await sql`update servers set name = ${name} where id = ${renter.id}`;
    const [{ username, port } = { username: '', port: 0 }] = await sql<{ username: string; port: number }[]>`
      select u.username, s.port from servers s join users u on u.id = s.owner_id where s.id = ${renter.id}`;
    const idsOf = async (search: object) =>
      (await ask('server.search', search)).servers.map(({ server }: { server: { id: string } }) => server.id);
    expect(await idsOf({ query: name.toLowerCase() })).toEqual([renter.id]);
    expect(await idsOf({ query: `needle%${renter.id}` }), 'no wildcards').toEqual([]);
    expect(await idsOf({ query: renter.id })).toContain(renter.id);
    expect((await idsOf({ query: username })).sort()).toEqual([renter.id, other].sort());
    expect(await idsOf({ query: `:${port}`, node_id: renter.node.id })).toEqual([renter.id]);
    expect(await idsOf({ query: `play.example.test:${port}`, node_id: renter.node.id })).toEqual([renter.id]);
    expect(await idsOf({ query: 'no-such.example' })).toEqual([]);
    expect(await ask('server.search', { query: 'x'.repeat(301) })).toMatchObject({ error: 'invalid_input' });
    expect(await ask('server.search', { limit: 1_000 })).toMatchObject({ error: 'invalid_input' });

    const first = await ask('server.search', { query: username, limit: 1 });
    const second = await ask('server.search', { query: username, limit: 1, after: first.next });
    expect(second.error).toBeUndefined();
    expect([first.count, second.count, second.next]).toEqual([2, 2, null]);
    expect([first, second].map(({ servers }) => servers[0].server.id).sort()).toEqual(
      [renter.id, other].sort(),
    );

    const of = { query: '', node_id: renter.node.id };
    expect(await idsOf({ ...of, state: 'running' })).toEqual([renter.id]);
    expect(await idsOf({ ...of, state: 'suspended' })).toEqual([]);
    expect(await idsOf({ ...of, state: 'unpaid' })).toEqual([]);
    const heard: { servers: { server: { id: string; lifecycle: string } }[] }[] = [];
    desk.on('servers', (message) => heard.push(message));
    // as pages do, asks again after a connection that was lost
    const told = async () => {
      await idsOf(of);
      await ask('server.suspend', { server_id: renter.id, reason: 'other' });
      return heard.at(-1)?.servers.find(({ server }) => server.id === renter.id)?.server;
    };
    // seldom enough for the limit of requests
    const seldom = { interval: 1_000, timeout: 20_000 };
    await expect.poll(told, seldom).toMatchObject({ id: renter.id, lifecycle: 'suspended' });
    const suspended = async () => (await ask('server.search', { ...of, state: 'suspended' })).servers?.length;
    await expect.poll(suspended, seldom).toBe(1);
  });
});

describe('moves', () => {
  it('are refused without another node, before the server stops', async () => {
    const { id } = await open();
    const move = { server_id: id, op_id: randomUUID(), node_id: null, drop_backups: false };
    expect(await ask('server.move', move)).toMatchObject({ error: 'no_other_node' });
    expect(await database.sql`select 1 from server_tasks where server_id = ${id}`).toHaveLength(0);
  });

  it('are listed as they go on, with why they failed, in pages', async () => {
    const { sql } = database;
    const { id, node } = await open();
    const [on] = await sql<{ region: string }[]>`select region from nodes where id = ${node.id}`;
    const elsewhere = await ask('node.add', {
      ...{ name: `m-${randomUUID().slice(0, 8)}`, region: 'western-europe', public_address: '10.0.0.9' },
    });
    await sql`update nodes set region = ${on!.region} where id = ${elsewhere.node.id}`;
    const [, join_token = ''] = /--join (\S+)$/.exec(elsewhere.command) ?? [];
    await agent(plane.url, { join_token });
    const heard: { moves: { server_id: string; step: string }[] }[] = [];
    desk.on('moves', (message) => heard.push(message));
    await ask('move.list', {});
    const last = () => heard.at(-1)?.moves.find((move) => move.server_id === id);
    const move = { server_id: id, op_id: randomUUID(), node_id: elsewhere.node.id, drop_backups: false };
    await expect.poll(() => ask('server.move', move)).toMatchObject({ ok: true, server: { moving: true } });
    await expect.poll(last).toMatchObject({ step: 'stopping' });
    expect(await ask('server.cancel_move', { server_id: id })).toMatchObject({ server: { moving: false } });
    await expect.poll(last).toMatchObject({ step: 'cancelled' });
    await sql`update server_tasks set step = 'failed', error = '{"code": "no_other_node"}' where server_id = ${id}`;
    const all = await ask('move.list', {});
    expect(all.moves.find((one: { server_id: string }) => one.server_id === id)).toMatchObject({
      error: 'no_other_node',
      why: expect.stringContaining('room'),
    });
    const older = await ask('move.list', { before: all.moves[0].id });
    expect(older.moves).toHaveLength(all.moves.length - 1);
  });
});

it('refuses nodes, servers and moves to everybody else before anything is done', async () => {
  const { sql } = database;
  const reads = await deskOf('admin', ['SERVER_READ', 'STAFF']);
  const others = [await deskOf('moderator'), await deskOf('developer')];
  const nodes = async () =>
    await sql`select count(*)::int as nodes, count(*) filter (where draining)::int as draining from nodes`;
  const before = await nodes();
  const node_id = 'zzzzzzzz';
  for (const [event, message, isRead] of [
    ['node.add', { name: 'mine', region: 'western-europe', public_address: 'a.test' }],
    ['node.rejoin', { node_id }],
    ['node.rotate', { node_id }],
    ['node.remove', { node_id }],
    ['node.drain', { node_id, draining: true }],
    ['node.empty', { node_id, drop_backups: true }],
    ['node.give_up', { node_id }],
    ['server.move', { server_id: node_id, op_id: randomUUID(), node_id: null, drop_backups: true }],
    ['server.cancel_move', { server_id: node_id }],
    ['node.list', {}, true],
    ['server.search', {}, true],
    ['move.list', {}, true],
    ['dns.zone', {}, true],
  ] as const) {
    for (const from of others)
      expect(await ask(event, message, from), event).toMatchObject({ error: 'admins_only' });
    if (!isRead) expect(await ask(event, message, reads), event).toMatchObject({ error: 'scope_missing' });
  }
  expect(await nodes()).toEqual(before);
});
