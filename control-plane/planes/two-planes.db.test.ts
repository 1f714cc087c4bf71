import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { noticeInput } from '#db/hosting/notices/shape.ts';
import { createNotice } from '#db/hosting/notices/write.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import { actorFor, token, user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type Browser, browser } from '../testing/clients.ts';
import { rentServer, running, startControlPlane, testTwoPlanes } from '../testing/plane.ts';
import { agent, powerReport } from '../testing/scripted-agent.ts';

const database = testDatabase();
const [here, there] = testTwoPlanes(database);

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `line ${from + i}`);
const lineObjects = (from: number, count: number) =>
  numbered(from, count).map((text, i) => ({ seq: from + i, at: 0, stream: 'out' as const, text }));
const textsOf = ({ received }: Browser) =>
  received.console.flatMap(({ lines }) => lines.map(({ text }) => text));

describe('two control planes on one database', () => {
  it('carry state and power between them', async () => {
    const { runner, id, key } = await rentServer(database.sql, here.url);
    const screen = await browser(there.url, { token: key });
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

  it('give a console, its history, commands, completions and stats from the other one', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    const { runner, id, key } = renter;
    await runner.print(id, numbered(1, 30));
    await runner.measured(id, 1);
    const screen = await browser(there.url, { token: key });
    const joined = await screen.request('server.join', {
      server_id: id,
      rooms: ['state', 'console', 'stats'],
    });
    expect(joined).toMatchObject({
      ok: true,
      console: { epoch: 'one', from: 1, gap: 0 },
      stats: [{ at: 1 }],
    });
    expect(joined.ok && joined.console?.lines.map(({ text }) => text)).toEqual(numbered(1, 30));
    await expect.poll(() => runner.watched).toEqual([id]);
    await runner.print(id, numbered(31, 5));
    await expect.poll(() => textsOf(screen)).toEqual(numbered(31, 5));
    await runner.measured(id, 2);
    await expect.poll(() => screen.received.stats).toMatchObject([{ at: 2 }]);

    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toEqual({ ok: true });
    expect(runner.commands).toEqual([{ server_id: id, text: 'list' }]);
    runner.delivers = false;
    expect(await screen.request('server.command', { server_id: id, text: 'list' })).toMatchObject({
      error: 'command_not_delivered',
    });
    runner.known_commands = [{ name: 'weather', usage: '' }];
    expect(await screen.request('server.commands', { server_id: id })).toMatchObject({
      ok: true,
      commands: [{ name: 'weather' }],
    });
    const past = await screen.request('server.history', { server_id: id, before: 11, limit: 4 });
    expect(past.ok && past.console.lines.map(({ text }) => text)).toEqual(numbered(7, 4));
    expect(await screen.request('server.list', {})).toMatchObject({ players: { [id]: { online: 2 } } });

    // both planes have a viewer; when the last one leaves, the agent is told
    const own = await browser(here.url, { token: key });
    await own.request('server.join', { server_id: id, rooms: ['console'] });
    await screen.request('server.leave', { server_id: id });
    await runner.print(id, ['for one']);
    await expect.poll(() => textsOf(own)).toEqual(['for one']);
    expect(runner.watched).toEqual([id]);
    own.close();
    await expect.poll(() => runner.watched).toEqual([]);
    expect(textsOf(screen)).toEqual(numbered(31, 5));
  });

  it('tell a viewer of the other one that the agent is gone, and give it what it missed', async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    const { runner, id, node, key } = renter;
    const screen = await browser(there.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    await runner.print(id, numbered(1, 3));
    await expect.poll(() => textsOf(screen)).toEqual(numbered(1, 3));
    runner.close();
    await expect.poll(() => screen.received['node.status'].at(-1)?.online).toBe(false);
    const { lines } = runner.consoles.get(id)!;
    lines.push(...lineObjects(4, 2_500));
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const back = await agent(here.url, shown, { [id]: { generation: 1, hash: '' } }, runner);
    await expect.poll(() => screen.received['node.status'].at(-1)?.online).toBe(true);
    await back.print(id, ['line 2504']);
    await expect.poll(() => textsOf(screen).length, { timeout: 20_000 }).toBe(2_504);
    expect(textsOf(screen)).toEqual(numbered(1, 2_504));
    expect(screen.received.console.every(({ gap }) => gap === 0)).toBe(true);
  });

  it('release their nodes when they end; a command waits for the agent to reconnect', async () => {
    const third = await startControlPlane(database.sql);
    const renter = await rentServer(database.sql, third.url);
    await running(renter);
    const { runner, id, node, key } = renter;
    const screen = await browser(there.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    await third.close();
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('unknown');
    const typed = screen.request('server.command', { server_id: id, text: 'list' });
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const back = await agent(there.url, shown, { [id]: { generation: 1, hash: '' } });
    await expect.poll(() => screen.received.state.at(-1)?.server.state).toBe('running');
    expect(await typed).toEqual({ ok: true });
    expect(back.commands).toEqual([{ server_id: id, text: 'list' }]);
  });

  it('give a node to the agent that connected last, wherever that was', async () => {
    const { runner, id, node, key } = await rentServer(database.sql, here.url);
    const screen = await browser(there.url, { token: key });
    await screen.request('server.join', { server_id: id, rooms: ['state', 'console'] });
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const newer = await agent(there.url, shown, { [id]: { generation: 1, hash: '' } });
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

describe('what Postgres tells every plane arrives within a second', () => {
  const within = { timeout: 1_000, interval: 10 };
  /** A panel on each of two planes. */
  const panels = async () => {
    const renter = await rentServer(database.sql, here.url);
    await running(renter);
    const screens = [];
    for (const { url } of [here, there]) {
      const key = await token(database.sql, renter.owner);
      const screen = await browser(url, { token: key });
      await screen.request('server.join', { server_id: renter.id, rooms: ['state', 'console'] });
      screens.push({ ...screen, key });
    }
    return { renter, screens };
  };

  it('a state', async () => {
    const { renter, screens } = await panels();
    await renter.runner.report('server.power', renter.id, powerReport('crashed', { exit_code: 3 }));
    for (const { received } of screens)
      await expect.poll(() => received.state.at(-1)?.server.state, within).toBe('crashed');
  });

  it('a notice', async () => {
    const { renter, screens } = await panels();
    const staff = actorFor(await user(database.sql, { role: 'moderator' }), { role: 'moderator' });
    const targets = [{ server_id: renter.id }];
    const notice = { level: 'warn', title: 'Work on the machine', begins: new Date().toISOString(), targets };
    await database.sql.begin((tx) => createNotice(tx, staff, noticeInput.parse(notice), new Date()));
    for (const { received } of screens)
      await expect
        .poll(() => received.notices.at(-1)?.notices.map(({ title }) => title), within)
        .toEqual(['Work on the machine']);
  });

  it('the end of a right', async () => {
    const { renter, screens } = await panels();
    for (const { key } of screens)
      await database.sql`delete from tokens where token_hash = ${hashToken(key)}`;
    for (const { received, socket } of screens) {
      await expect.poll(() => received['access.revoked'].length, within).toBe(1);
      await expect.poll(() => socket.connected, within).toBe(false);
    }
    await renter.runner.print(renter.id, ['not for them']);
    for (const screen of screens) expect(textsOf(screen)).toEqual([]);
  });
});
