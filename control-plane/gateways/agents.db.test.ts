import { randomUUID } from 'node:crypto';
import type { Socket } from 'socket.io-client';
import { describe, expect, it } from 'vitest';
import type { NodeView } from '#db/hosting/nodes/view.ts';
import { expireNodes, rotateSecret } from '#db/hosting/nodes/write.ts';
import { token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { staff } from '../testing/clients.ts';
import { newNode, type RentedServer, rentServer, running, testControlPlane } from '../testing/plane.ts';
import { agent, connectAgent, powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const stateOf = async ({ screen, id }: RentedServer) => {
  const answer = await screen.request('server.show', { server_id: id });
  return answer.ok ? answer.server : null;
};
const eventsOf = async (server_id: string) =>
  (
    await database.sql<{ type: string }[]>`
      select type from agent_events where server_id = ${server_id} order by seq`
  ).map(({ type }) => type);

describe('the handshake of an agent', () => {
  it('gives a secret for a join token once', async () => {
    const { id, join_token } = await newNode(database.sql, 'door');
    const { welcome } = await connectAgent(plane.url, { join_token });
    expect(welcome).toMatchObject({ node_id: id, lease: 1, node: { port_from: 25_600 } });
    await expect(connectAgent(plane.url, { join_token })).rejects.toThrow('join_token_invalid');
    const again = await connectAgent(plane.url, { node_id: id, secret: welcome.secret });
    expect(again.welcome).toMatchObject({ secret: null, lease: 2 });
  });

  it('is refused with a forged secret, without one, and with an unknown protocol', async () => {
    const { id, join_token } = await newNode(database.sql, 'door');
    await connectAgent(plane.url, { join_token });
    const turnedAway = async (credentials: object, code: string) =>
      await expect(connectAgent(plane.url, credentials)).rejects.toThrow(code);
    await turnedAway({ node_id: id, secret: `cna_${'x'.repeat(60)}` }, 'agent_secret_invalid');
    await turnedAway({ node_id: id }, 'agent_secret_invalid');
    await turnedAway({ join_token: 'guessed' }, 'join_token_invalid');
    await turnedAway({ node_id: id, protocol: [2, 9] }, 'agent_protocol');
    const older = connectAgent(plane.url, { node_id: id, protocol: [0, 0] });
    await expect(older, 'an older agent').rejects.toMatchObject({
      data: { error: 'agent_protocol', description: expect.stringContaining('the same version of Cairn') },
    });
    await turnedAway({ node_id: { $ne: null }, secret: '' }, 'invalid_input');
  });

  it('accepts the secret from before a rotation for a while, then only the new one', async () => {
    const { sql } = database;
    const { id, join_token } = await newNode(sql, 'door');
    const { secret: old } = (await connectAgent(plane.url, { join_token })).welcome;
    const { secret } = await rotateSecret(sql, id, new Date());
    for (const one of [old, secret]) await connectAgent(plane.url, { node_id: id, secret: one });
    await sql`update nodes set previous_secret_until = now() where id = ${id}`;
    await expect(connectAgent(plane.url, { node_id: id, secret: old })).rejects.toThrow(
      'agent_secret_invalid',
    );
    await connectAgent(plane.url, { node_id: id, secret });
  });
});

describe('two agents of one node', () => {
  it('leave only the newer one connected', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node } = renter;
    const secret = runner.welcome.secret;
    const newer = await agent(plane.url, { node_id: node.id, secret }, { [id]: { generation: 1, hash: '' } });
    await expect.poll(() => runner.socket.connected).toBe(false);
    expect(newer.welcome.lease).toBeGreaterThan(runner.welcome.lease);
    const event = { seq: 1, server_id: id, type: 'server.power', at: new Date().toISOString() };
    const old = { lease: runner.welcome.lease, stream_id: randomUUID() };
    const answers = [
      await newer.request('events.push', { ...old, events: [{ ...event, data: powerReport('running') }] }),
      await newer.request('console.lines', { ...old, server_id: id, epoch: 'x', from: 1, lines: [] }),
      await newer.request('inventory', { ...old, servers: {} }),
    ];
    expect(answers).toMatchObject(answers.map(() => ({ ok: false, error: 'lease_stale' })));
    expect(await stateOf(renter)).toMatchObject({ state: 'stopped' });
  });
});

describe('what an agent reports', () => {
  it('about a server on another node changes nothing and reaches no panel', async () => {
    const [mine, theirs] = [
      await rentServer(database.sql, plane.url),
      await rentServer(database.sql, plane.url),
    ];
    await theirs.screen.request('server.join', {
      server_id: theirs.id,
      rooms: ['state', 'console', 'stats'],
    });
    const { runner } = mine;
    const before = await eventsOf(theirs.id);
    const answers = [
      await runner.report('server.power', theirs.id, powerReport('crashed', { exit_code: 1 })),
      await runner.report('server.deleted', theirs.id, {}),
      await runner.report('server.broken', theirs.id, { step: 'docker_failed', error: 'ha', generation: 9 }),
    ];
    expect(answers).toMatchObject(answers.map(() => ({ ok: true })));
    runner.consoles.set(theirs.id, { epoch: 'x', lines: [] });
    expect(await runner.print(theirs.id, ['forged'])).toMatchObject({ ok: false, error: 'server_not_found' });
    expect(await stateOf(theirs)).toMatchObject({ state: 'stopped', lifecycle: 'ready' });
    expect(theirs.screen.received.console).toEqual([]);
    expect(await eventsOf(theirs.id)).toEqual(before);
  });

  it('counts once, however often it is sent', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id } = renter;
    const at = new Date().toISOString();
    const event = (seq: number, power: string) => ({
      ...{ seq, server_id: id, type: 'server.power', at, data: powerReport(power) },
    });
    const first = runner.seq + 1;
    const batch = {
      stream_id: runner.stream_id,
      events: [event(first, 'starting'), event(first + 1, 'running')],
    };
    const both = await Promise.all([
      runner.request('events.push', batch),
      runner.request('events.push', batch),
    ]);
    expect(both).toEqual([
      { ok: true, seq: first + 1 },
      { ok: true, seq: first + 1 },
    ]);
    expect(await eventsOf(id)).toEqual(['server.installed', 'server.power', 'server.power']);
    expect(await stateOf(renter)).toMatchObject({ state: 'running' });
  });

  it('too late changes nothing that was reported since; lost events block nothing', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id } = renter;
    const at = new Date().toISOString();
    const say = (seq: number, power: string) =>
      runner.request('events.push', {
        stream_id: runner.stream_id,
        events: [{ seq, server_id: id, type: 'server.power', at, data: powerReport(power) }],
      });
    expect(await say(40, 'running')).toEqual({ ok: true, seq: 40 });
    expect(await say(39, 'starting')).toEqual({ ok: true, seq: 40 });
    expect(await stateOf(renter)).toMatchObject({ state: 'running' });
  });

  it('that does not fit its shape is stored and changes nothing; a malformed batch is refused', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id } = renter;
    expect(await runner.report('server.power', id, { power: 'on fire' })).toMatchObject({ ok: true });
    expect(await runner.report('server.dances', id, { steps: 3 })).toMatchObject({ ok: true });
    expect(await eventsOf(id)).toEqual(['server.installed', 'malformed', 'server.dances']);
    expect(await stateOf(renter)).toMatchObject({ state: 'stopped' });
    for (const message of [null, 'x', { events: 'many' }, { stream_id: 's', events: [{ seq: -1 }] }])
      expect(await runner.request('events.push', message as object)).toMatchObject({
        ok: false,
        error: 'invalid_input',
      });
  });

  it('about a crash reaches its owner', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await screen.request('server.join', { server_id: id, rooms: ['state'] });
    const crash = { exit_code: 137, out_of_memory: true, last_lines: ['OutOfMemoryError'] };
    await runner.report('server.power', id, powerReport('crashed', { ...crash, crash_loop: true }));
    const displayed = { state: 'crashed', crash: { ...crash, held: true } };
    await expect.poll(() => screen.received.state.at(-1)?.server).toMatchObject(displayed);
    const restart_at = new Date(Date.now() + 15_000).toISOString();
    await runner.report('server.power', id, powerReport('crashed', { ...crash, restart_at }));
    const again = { state: 'crashed', crash: { ...crash, held: false, restart_at } };
    await expect.poll(() => screen.received.state.at(-1)?.server).toMatchObject(again);
  });

  it('about a crash is cut, never refused: otherwise its agent would send it for ever', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id } = renter;
    const last_lines = Array.from({ length: 50 }, (_, i) => `${i} \0\ud800${'墨'.repeat(4_000)}`);
    const said = await runner.report('server.power', id, powerReport('crashed', { last_lines }));
    expect(said).toMatchObject({ ok: true, seq: runner.seq });
    const credentials = (await stateOf(renter))!.crash!.last_lines;
    expect(credentials.at(-1)).toMatch(/^49 \ufffd墨/);
    expect(Buffer.byteLength(credentials.join(''))).toBeLessThanOrEqual(32 * 1024);

    const result = { error: 'x'.repeat(200_000) };
    const ended = await runner.report('operation.ended', id, {
      op_id: randomUUID(),
      state: 'failed',
      result,
    });
    expect(ended).toMatchObject({ ok: true });
    expect(await eventsOf(id)).toEqual(['server.installed', 'server.power', 'malformed']);
  });

  it('about a taken port gets another one; any other failure can be retried', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    const before = runner.specs.get(id)!.port;
    await runner.report('server.broken', id, { step: 'port_taken', error: 'in use', generation: 1 });
    await expect.poll(() => runner.specs.get(id)?.port).not.toBe(before);
    expect(await stateOf(renter)).toMatchObject({ lifecycle: 'ready' });

    await runner.report('server.broken', id, {
      step: 'image_missing',
      error: 'no such image',
      generation: 2,
    });
    expect(await stateOf(renter)).toMatchObject({
      lifecycle: 'broken',
      lifecycle_data: { step: 'image_missing', error: 'no such image' },
    });
    const generation = runner.specs.get(id)!.generation;
    await screen.request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
    await expect.poll(() => runner.specs.get(id)).toMatchObject({ generation: generation + 1, power: 'on' });
    await runner.report('server.installed', id, { generation: generation + 1 });
    expect(await stateOf(renter)).toMatchObject({ lifecycle: 'ready', lifecycle_data: {} });
  });
});

describe('an agent that reconnects', () => {
  it('gets only the specifications that differ, and the servers to delete', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node, screen } = renter;
    const secret = runner.welcome.secret;
    runner.close();
    await screen.request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
    await screen.request('server.rename', { server_id: id, name: 'Vale' });
    const inventory = { [id]: { generation: 1, hash: '' }, Zz999999: { generation: 4, hash: '' } };
    const back = await agent(plane.url, { node_id: node.id, secret }, inventory);
    expect(back.reconciled.deleted).toEqual(['Zz999999']);
    expect(back.reconciled.specs).toMatchObject([
      { server_id: id, generation: 3, name: 'Vale', power: 'on' },
    ]);
    back.close();
    const same = await agent(plane.url, { node_id: node.id, secret }, { [id]: { generation: 3, hash: '' } });
    expect(same.reconciled).toMatchObject({ specs: [], deleted: [] });
  });

  it('gets generations above those it knows when the database was restored to an older state', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node } = renter;
    const secret = runner.welcome.secret;
    runner.close();
    const back = await agent(plane.url, { node_id: node.id, secret }, { [id]: { generation: 70, hash: '' } });
    expect(back.reconciled.specs).toMatchObject([{ server_id: id, generation: 71 }]);
  });

  it('gets a server that was deleted meanwhile among those to delete, and its report deletes the row', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node, screen } = renter;
    const secret = runner.welcome.secret;
    await screen.request('server.join', { server_id: id, rooms: ['state'] });
    runner.close();
    expect(await screen.request('server.delete', { server_id: id })).toEqual({ ok: true });
    await expect
      .poll(() => screen.received['access.revoked'])
      .toMatchObject([{ server_id: id, error: 'server_not_found' }]);
    expect(await screen.request('server.list', {})).toEqual({
      ok: true,
      servers: [],
      shared: {},
      players: {},
    });
    const back = await agent(
      plane.url,
      { node_id: node.id, secret },
      { [id]: { generation: 1, hash: '' } },
      runner,
    );
    expect(back.reconciled).toMatchObject({ specs: [], deleted: [id] });
    await back.report('server.deleted', id, {});
    expect(await database.sql`select 1 from servers where id = ${id}`).toHaveLength(0);
  });
});

describe('a node that is offline', () => {
  it('leaves its servers unknown: commands are refused, the desired state is stored', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node, screen } = renter;
    await screen.request('server.power', { server_id: id, op_id: randomUUID(), action: 'start' });
    await expect.poll(() => runner.specs.get(id)?.generation).toBe(2);
    await running(renter);
    await screen.request('server.join', { server_id: id, rooms: ['state'] });
    runner.close();
    await expect
      .poll(() => screen.received['node.status'].at(-1))
      .toMatchObject({ server_id: id, online: false });
    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toMatchObject({
      error: 'server_unreachable',
    });
    await database.sql`
      update nodes set last_seen = now() - interval '26 seconds', status = 'offline' where id = ${node.id}`;
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('unknown');
    const stopped = await screen.request('server.power', {
      server_id: id,
      op_id: randomUUID(),
      action: 'stop',
    });
    expect(stopped).toMatchObject({ ok: true, server: { state: 'unknown', power_wanted: 'off' } });
    const back = await agent(
      plane.url,
      { node_id: node.id, secret: runner.welcome.secret },
      { [id]: { generation: 2, hash: '' } },
    );
    expect(back.reconciled.specs).toMatchObject([{ server_id: id, power: 'off' }]);
    await expect.poll(() => screen.received['node.status'].at(-1)).toMatchObject({ online: true });
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('running');
  });

  it('is shown to staff as it connects, is drained and disconnects', async () => {
    const { sql } = database;
    const { node } = await rentServer(sql, plane.url);
    const fleet = await staff(plane.url, await token(sql, await user(sql, { role: 'admin' })));
    let nodes: NodeView[] = [];
    fleet.on('nodes', (message) => {
      nodes = message.nodes;
    });
    const seen = () => nodes.find(({ id }) => id === node.id);
    const ask = (event: 'node.list' | 'node.drain', message: object) =>
      (fleet as unknown as Socket).timeout(20_000).emitWithAck(event, message);
    expect(await ask('node.list', {})).toMatchObject({ ok: true });
    expect(await ask('node.drain', { node_id: node.id, draining: true })).toMatchObject({
      ok: true,
      node: { id: node.id, draining: true, servers: 1, ram_mb: { promised: 4_096, most: 16_384 } },
    });
    await expect.poll(seen).toMatchObject({ status: 'online', draining: true });
    const later = new Date(Date.now() + 26_000);
    expect(await expireNodes(sql, later)).toContain(node.id);
    await expect.poll(seen).toMatchObject({ status: 'offline' });
    expect(await ask('node.drain', { node_id: 'AABBCCDD', draining: true })).toMatchObject({
      error: 'node_unknown',
    });
  });
});
