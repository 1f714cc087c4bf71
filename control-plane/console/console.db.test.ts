import { randomUUID } from 'node:crypto';
import type { Socket as TcpSocket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { token } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type Browser, browser } from '../testing/clients.ts';
import { rentServer, running, startControlPlane, testControlPlane } from '../testing/plane.ts';
import { agent } from '../testing/scripted-agent.ts';

const database = testDatabase();
const plane = testControlPlane(database);

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `line ${from + i}`);
const texts = ({ received }: Browser) =>
  received.console.flatMap(({ lines }) => lines.map(({ text }) => text));
const watch = async (screen: Browser, server_id: string, shown?: { epoch: string; next: number }) => {
  const answer = await screen.request('server.join', {
    server_id,
    rooms: ['console'],
    ...(shown ? { console: shown } : {}),
  });
  return answer.ok ? answer.console : null;
};

describe('stats', () => {
  it('come with the first answer for the last minute, and the players with the list', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    // before anybody watches
    for (const at of [1, 2]) await runner.measured(id, at);
    const joined = await screen.request('server.join', { server_id: id, rooms: ['state', 'stats'] });
    expect(joined).toMatchObject({ ok: true, stats: [{ at: 1 }, { at: 2 }] });
    expect(await screen.request('server.join', { server_id: id, rooms: ['state'] })).toMatchObject({
      stats: [],
    });
    const list = await screen.request('server.list', {});
    expect(list).toMatchObject({ ok: true, players: { [id]: { online: 2, most: 12 } } });
  });
});

describe('a console', () => {
  it('shows a later viewer what came before, then every line once', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    runner.consoles
      .get(id)!
      .lines.push(...numbered(1, 30).map((text, i) => ({ seq: i + 1, at: 0, stream: 'out' as const, text })));
    expect(runner.watched).toEqual([]);
    const first = await watch(screen, id);
    expect(first).toMatchObject({ epoch: 'one', from: 1, gap: 0 });
    expect(first!.lines.map(({ text }) => text)).toEqual(numbered(1, 30));
    await expect.poll(() => runner.watched).toEqual([id]);
    await runner.print(id, numbered(31, 5));
    await expect.poll(() => texts(screen)).toEqual(numbered(31, 5));
    expect(screen.received.console).toMatchObject([{ from: 31, gap: 0 }]);

    const second = await browser(plane.url, { token: renter.key });
    const caught = await watch(second, id, { epoch: 'one', next: 34 });
    expect(caught).toMatchObject({ from: 34, gap: 0, lines: [{ text: 'line 34' }, { text: 'line 35' }] });
    await second.request('server.leave', { server_id: id });
    screen.close();
    await expect.poll(() => runner.watched).toEqual([]);
  });

  it('starts again with a new process', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    await watch(screen, id);
    await runner.print(id, ['old']);
    runner.consoles.set(id, { epoch: 'two', lines: [] });
    await runner.print(id, ['new']);
    await expect
      .poll(() => screen.received.console)
      .toMatchObject([
        { epoch: 'one', from: 1, lines: [{ text: 'old' }] },
        { epoch: 'two', from: 1, gap: 0, lines: [{ text: 'new' }] },
      ]);
    const other = await browser(plane.url, { token: renter.key });
    expect(await watch(other, id, { epoch: 'one', next: 2 })).toMatchObject({ epoch: 'two', from: 1 });
  });

  it('marks what the agent lost, and fetches what it did not send', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    await watch(screen, id);
    await runner.print(id, numbered(1, 2));
    const line = (seq: number) => ({ seq, at: 0, stream: 'out', text: `line ${seq}` });
    const send = (from: number, seqs: number[]) =>
      runner.request('console.lines', { server_id: id, epoch: 'one', from, lines: seqs.map(line) });
    await send(3, [8, 9]);
    await expect.poll(() => screen.received.console.at(-1)).toMatchObject({ from: 3, gap: 5 });
    runner.consoles
      .get(id)!
      .lines.push(...[8, 9, 10, 11, 12].map((seq) => ({ ...line(seq), stream: 'out' as const })));
    await send(12, [12]);
    await expect.poll(() => texts(screen).slice(-3)).toEqual(['line 10', 'line 11', 'line 12']);
    expect(screen.received.console.slice(-1)).toMatchObject([{ gap: 0 }]);
    expect(screen.received.console.filter(({ gap }) => gap > 0)).toHaveLength(1);
  });

  it('gives older lines on request', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    await runner.print(id, numbered(1, 20));
    const back = await screen.request('server.history', { server_id: id, before: 11, limit: 4 });
    expect(back).toMatchObject({ ok: true, console: { epoch: 'one', from: 7 } });
    expect(back.ok && back.console.lines.map(({ text }) => text)).toEqual(numbered(7, 4));
  });
});

describe('a console after its control plane was away', () => {
  it('sends a viewer exactly what it missed', async () => {
    const { sql } = database;
    let own = await startControlPlane(sql);
    const port = Number(new URL(own.url).port);
    const renter = await rentServer(sql, own.url);
    const { runner, id, node, screen } = renter;
    await running(renter);
    let shown = await watch(screen, id);
    await runner.print(id, numbered(1, 10));
    await expect.poll(() => texts(screen)).toEqual(numbered(1, 10));

    const rejoined = new Promise<void>((go) => {
      screen.socket.on('connect', async () => {
        // lost again in between: the next connection asks
        shown = await watch(screen, id, { epoch: 'one', next: 11 }).catch(() => null);
        if (screen.socket.connected) go();
      });
    });
    await own.close();
    const { lines } = runner.consoles.get(id)!;
    lines.push(...numbered(11, 5).map((text, i) => ({ seq: 11 + i, at: 0, stream: 'out' as const, text })));
    own = await startControlPlane(sql, port);
    const held = { [id]: { generation: 1, hash: '' } };
    const back = await agent(own.url, { node_id: node.id, secret: runner.welcome.secret }, held, runner);
    await rejoined;
    await back.print(id, ['line 16']);
    // with its answer, or by itself when the agent came after the viewer
    const got = () => [...(shown?.lines.map(({ text }) => text) ?? []), ...texts(screen).slice(10)];
    await expect.poll(got).toEqual(numbered(11, 6));
    await own.close();
  });

  it('sends a viewer that joined before the agent what it missed', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, node, screen } = renter;
    await running(renter);
    await runner.print(id, numbered(1, 12));
    runner.close();
    await expect.poll(() => plane.plane.context.agents.has(node.id)).toBe(false);
    expect(await watch(screen, id, { epoch: 'one', next: 9 })).toBe(null);
    const held = { [id]: { generation: 1, hash: '' } };
    const shown = { node_id: node.id, secret: runner.welcome.secret };
    const back = await agent(plane.url, shown, held, runner);
    await expect.poll(() => screen.received.console).toMatchObject([{ from: 9, gap: 0 }]);
    await back.print(id, ['line 13']);
    await expect.poll(() => texts(screen)).toEqual(numbered(9, 5));
  });
});

describe('a viewer that does not keep up', () => {
  it('gets a gap, while the agent is never blocked and every other viewer gets every line', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen, key } = renter;
    await running(renter);
    await watch(screen, id);
    const slow = await browser(plane.url, { token: key });
    await watch(slow, id);
    const wire = (slow.socket.io.engine.transport as unknown as { ws: { _socket: TcpSocket } }).ws._socket;
    wire.pause();
    const filler = 'x'.repeat(8_000);
    const held = () => plane.plane.consoles.counts.paused;
    const before = held();
    let printed = 0;
    // the machine's own buffers swallow some megabytes first
    while (held() < before + 100 && printed < 10_000) {
      await runner.print(
        id,
        numbered(printed + 1, 10).map((text) => `${text} ${filler}`),
      );
      printed += 10;
      await expect.poll(() => texts(screen).length, { interval: 2 }).toBe(printed);
    }
    expect(held()).toBeGreaterThanOrEqual(before + 100);
    expect(screen.received.console.every(({ gap }) => gap === 0)).toBe(true);

    wire.resume();
    await expect.poll(() => texts(slow).at(-1)?.split(' ', 2).join(' ')).toBe(`line ${printed}`);
    const gaps = slow.received.console.filter(({ gap }) => gap > 0);
    expect(gaps.length).toBeGreaterThan(0);
    expect(texts(slow).length + gaps.reduce((sum, { gap }) => sum + gap, 0)).toBe(printed);
    await runner.print(id, ['live again']);
    await expect.poll(() => texts(slow).at(-1)).toBe('live again');
  });
});

describe('a command', () => {
  it('is one line without control characters, not too long, and goes to a process that runs', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    const type = (text: string) => screen.request('server.command', { server_id: id, text });
    expect(await type('list')).toMatchObject({ ok: false, error: 'server_not_running' });
    await running(renter);
    const refused = [
      await type(' \t '),
      await type('say a\nstop'),
      await type('say \u001b[2J'),
      await type('say \u2028'),
      await type('x'.repeat(4_097)),
      await type('ü'.repeat(2_049)),
      await type('x'.repeat(200_000)),
    ];
    expect(refused.map((answer) => !answer.ok && answer.error)).toEqual([
      'command_empty',
      ...Array(3).fill('command_control_characters'),
      ...Array(2).fill('command_too_long'),
      'invalid_input',
    ]);
    expect(runner.commands).toEqual([]);
    await expect.poll(() => type('ü'.repeat(2_048))).toEqual({ ok: true });
    runner.delivers = false;
    await expect.poll(() => type('list')).toMatchObject({ error: 'command_not_delivered' });
  });

  it('can be completed with those that the process knows, while it runs', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    const ask = () => screen.request('server.commands', { server_id: id });
    expect(await ask()).toMatchObject({ ok: false, error: 'server_not_running' });
    await running(renter);
    runner.known_commands = [{ name: 'weather', usage: '(clear|rain|thunder)' }];
    await expect
      .poll(ask)
      .toEqual({ ok: true, epoch: 'one', commands: [{ name: 'weather', usage: '(clear|rain|thunder)' }] });
    expect(runner.commands).toEqual([]);
    runner.close();
    await expect.poll(ask, { timeout: 20_000 }).toMatchObject({ ok: false, error: 'server_unreachable' });
  });

  it('is refused above its rate: a flood reaches the process no faster', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { runner, id, screen } = renter;
    await running(renter);
    const flood = Array.from({ length: 200 }, (_, i) =>
      screen.request('server.command', { server_id: id, text: `say ${i}` }),
    );
    const answers = await Promise.all(flood);
    const done = answers.filter(({ ok }) => ok).length;
    expect(runner.commands).toHaveLength(done);
    expect(done).toBeGreaterThanOrEqual(10);
    expect(done).toBeLessThan(150);
    for (const answer of answers)
      if (!answer.ok) expect(answer).toMatchObject({ error: 'too_fast', retry_after_ms: 100 });
    expect(await screen.request('server.show', { server_id: id })).toMatchObject({ ok: true });
  });

  it('flood closes the connection, and too many connections are refused', async () => {
    const renter = await rentServer(database.sql, plane.url);
    const { id, owner } = renter;
    const key = await token(database.sql, owner);
    const flooder = await browser(plane.url, { token: key });
    for (let i = 0; i < 700; i++) flooder.socket.emit('server.show', { server_id: id }, () => {});
    await expect.poll(() => flooder.socket.connected).toBe(false);
    const many = await Promise.allSettled(
      Array.from({ length: 25 }, () => browser(plane.url, { token: key })),
    );
    const refused = many.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThanOrEqual(5);
    expect(refused.map((one) => (one as PromiseRejectedResult).reason.message)).toEqual(
      refused.map(() => 'connections_too_many'),
    );
    for (const one of many) if (one.status === 'fulfilled') one.value.close();
    await expect
      .poll(async () => (await browser(plane.url, { token: key }).catch(() => null))?.socket.connected)
      .toBe(true);
  });

  it('of any shape is refused with a reason and does no harm', async () => {
    const { screen } = await rentServer(database.sql, plane.url);
    const send = (event: string, ...sent: unknown[]) =>
      (
        screen.socket as unknown as {
          timeout(ms: number): { emitWithAck(...all: unknown[]): Promise<unknown> };
        }
      )
        .timeout(20_000)
        .emitWithAck(event, ...sent);
    const odd: unknown[][] = [
      [],
      [null],
      ['text'],
      [[]],
      [{ server_id: '../etc' }],
      [{ server_id: { $gt: '' } }],
    ];
    for (const sent of odd)
      expect(await send('server.show', ...sent)).toMatchObject({ ok: false, error: 'invalid_input' });
    screen.socket.emit('server.show', { server_id: 'AABBCCDD' } as never, 'no function' as never);
    const op_id = randomUUID();
    expect(await send('server.power', { server_id: 'AABBCCDD', op_id, action: 'explode' })).toMatchObject({
      error: 'invalid_input',
    });
    expect(await screen.request('server.list', {})).toMatchObject({ ok: true });
  });
});
