import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { browser, closeClients } from './testing/clients.ts';
import { rentServer, running, startControlPlane, type TestControlPlane } from './testing/plane.ts';
import { agent, powerReport } from './testing/scripted-agent.ts';

const database = testDatabase();
let [here, there]: TestControlPlane[] = [];
beforeAll(async () => {
  here = await startControlPlane(database.sql);
  there = await startControlPlane(database.sql);
});
afterAll(async () => {
  closeClients();
  await Promise.all([here!.close(), there!.close()]);
});

describe('two control planes on one database', () => {
  it('carry state and power between them', async () => {
    const { runner, id, key } = await rentServer(database.sql, here!.url);
    const screen = await browser(there!.url, { token: key });
    expect(await screen.request('server.join', { server_id: id, rooms: ['state'] })).toMatchObject({
      ok: true,
      server: { state: 'stopped' },
    });
    const op_id = randomUUID();
    await screen.request('server.power', { server_id: id, op_id, action: 'start' });
    await expect.poll(() => runner.specs.get(id)?.power).toBe('on');
    await runner.report('server.power', id, powerReport('running', { epoch: 'one' }));
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('running');
    const kill = randomUUID();
    await screen.request('server.power', { server_id: id, op_id: kill, action: 'kill' });
    await expect.poll(() => runner.operations.map((one) => one.op_id)).toEqual([kill]);
    await runner.report('operation.ended', id, { op_id: kill, state: 'done', result: {} });
    await runner.report('server.power', id, powerReport('stopped', { generation: 3 }));
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('stopped');
  });

  it('refuse a console that the other one has', async () => {
    const renter = await rentServer(database.sql, here!.url);
    await running(renter);
    const { id, key } = renter;
    const screen = await browser(there!.url, { token: key });
    const joined = await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    expect(joined).toMatchObject({ ok: true, console: null });
    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toMatchObject({
      ok: false,
      error: 'console_elsewhere',
    });
    expect(await screen.request('server.history', { server_id: id, before: null, limit: 9 })).toMatchObject({
      error: 'console_elsewhere',
    });
    expect(await renter.screen.request('server.command', { server_id: id, text: 'list' })).toEqual({
      ok: true,
    });
  });

  it('release their nodes when they end; a command waits for the agent to reconnect', async () => {
    const third = await startControlPlane(database.sql);
    const renter = await rentServer(database.sql, third.url);
    await running(renter);
    const { runner, id, node, key } = renter;
    const screen = await browser(there!.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    await third.close();
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('unknown');
    const typed = screen.request('server.command', { server_id: id, text: 'list' });
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const back = await agent(there!.url, shown, { [id]: { generation: 1, hash: '' } });
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('running');
    expect(await typed).toEqual({ ok: true });
    expect(back.commands).toEqual([{ server_id: id, text: 'list' }]);
  });

  it('give a node to the agent that connected last, wherever that was', async () => {
    const { runner, id, node, key } = await rentServer(database.sql, here!.url);
    const screen = await browser(there!.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const newer = await agent(there!.url, shown, { [id]: { generation: 1, hash: '' } });
    await expect.poll(() => runner.socket.connected).toBe(false);
    newer.consoles.set(id, { epoch: 'one', lines: [] });
    await newer.report('server.power', id, powerReport('running', { epoch: 'one' }));
    await newer.print(id, ['from the other side']);
    await expect
      .poll(() => screen.received.console.flatMap(({ lines }) => lines.map(({ text }) => text)))
      .toEqual(['from the other side']);
    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toEqual({ ok: true });
  });
});
