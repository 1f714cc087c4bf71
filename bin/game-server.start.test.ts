import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { joinGame } from '#agents/testing/minecraft-bot.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { withControlPlane } from './cairn/control-client.ts';
import { compileCache, root } from './install.mjs';
import { ownProduct, person } from './testing/own-product.ts';
import { cairn, start, strangersEnv } from './testing/product.ts';

/** The life of a game server through the command line: order, start, play, restart of the product, delete. */
const own = ownProduct({ SERVER_KIND: 'local', PAYMENTS: 'test' }, async (settings) => {
  // another program uses the first port of the range
  taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  from = Math.min((taken.address() as { port: number }).port, 65_500);
  settings.AGENT_PORTS = `${from}-${from + 30}`;
});
const { env } = own;
let taken: Server | undefined;
let from = 0;
let id = '';
let owner = '';
let stranger = '';

beforeAll(async () => {
  owner = await person(own, 'ada');
  stranger = await person(own, 'bob');
});
afterAll(() => {
  taken?.close();
});

interface Ran {
  code: number;
  out: string;
  err: string;
}

/** The environment of `cairn`, with a token; compiled once, as by `npm run cairn`. */
const envOf = (token: string) =>
  strangersEnv({ ...env, CAIRN_TOKEN: token, NODE_COMPILE_CACHE: compileCache });

/** `cairn server ...` with a token in the environment. */
async function run(token: string, ...args: string[]): Promise<Ran> {
  const options = { cwd: root, env: envOf(token) };
  return await new Promise((done) => {
    execFile(process.execPath, ['bin/cairn.ts', 'server', ...args], options, (error, out, err) =>
      done({ code: error ? Number(error.code ?? 1) : 0, out: out.trim(), err: err.trim() }),
    );
  });
}
async function mine(...args: string[]): Promise<string> {
  const { code, out, err } = await run(owner, ...args);
  expect(code, err).toBe(0);
  return out;
}
/** What `cairn server show` prints; that is one process each time, so what is waited for is asked like this. */
const show = async (): Promise<ServerView> =>
  await withControlPlane({ url: own.site, token: owner }, async (plane) => {
    const { server } = await plane.request('server.show', { server_id: id });
    return server as ServerView;
  });
const until = async (state: string, timeout = 60_000): Promise<ServerView> =>
  await vi.waitFor(
    async () => {
      const view = await show();
      expect(view.state, JSON.stringify(view)).toBe(state);
      return view;
    },
    { timeout, interval: 500 },
  );
const containers = () =>
  new Docker().listContainers({ all: true, filters: { label: [`${labels.server}=${id}`] } });

describe('a game server, by the command line', () => {
  it('is ordered at once, stays off, and a start during setup is stored', async () => {
    expect(own.product.output()).toMatch(
      /Hosting {3}on, with Docker; also without a firewall, since only this machine reaches Cairn(; disk limits are only measured: .+)?$/m,
    );
    id = await mine('create', '--plan', 'small', '--name', 'Valley', '--kind', 'local');
    expect(id).toMatch(/^[0-9A-Za-z]{8,11}$/);
    const shown: unknown = JSON.parse(await mine('show', id, '--json'));
    expect(shown).toMatchObject({ name: 'Valley', plan: 'small', power_wanted: 'off' });
    await mine('power', id, 'start');
    const view = await until('running', 240_000);
    expect(view).toMatchObject({ lifecycle: 'ready', node: 'local', address: { host: '127.0.0.1' } });
    expect(view.address!.port, 'another program holds the first one').toBeGreaterThan(from);
  });

  it('does not exist for other users', async () => {
    const unknown = await run(stranger, 'show', 'zzzzzzzz');
    expect(unknown).toMatchObject({ code: 1, out: '', err: 'That server doesn’t exist.' });
    for (const args of [['show'], ['power', 'stop'], ['command', 'stop'], ['logs'], ['delete']]) {
      const [verb, ...more] = args as [string, ...string[]];
      expect(await run(stranger, verb, id, ...more), verb).toEqual(unknown);
    }
    expect(JSON.parse((await run(stranger, 'list', '--json')).out)).toEqual([]);
    expect((await run('mrp_nobody', 'list')).code).toBe(1);
    expect((await show()).state).toBe('running');
  });

  it('is played on: chat appears in its console, and console commands are executed', async () => {
    const { host, port } = (await show()).address!;
    const lines = following();
    const bot = await joinGame({ host, port }, 'Mirelle');
    try {
      bot.chat('the lanterns are lit');
      await vi.waitFor(() => expect(lines.text()).toMatch(/Mirelle.*the lanterns are lit/), 30_000);
      await mine('command', id, 'say', 'welcome home');
      await bot.waitForText(/welcome home/);
      const past = await mine('logs', id, '--lines', '20');
      expect(past).toMatch(/the lanterns are lit[\s\S]*> say welcome home/);
    } finally {
      await bot.leave();
      lines.end();
    }
    const refused = await run(owner, 'command', id, 'a\u0007b');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('control characters');
  });

  it('is resized by an administrator while it runs, and suspended and released by administrators only', async () => {
    const admin = await person(own, 'eve', 'admin');
    const before = await show();
    const secret = readFileSync(join(env.DATA_DIR!, 'agent', 'secret'), 'utf8');
    const size = ['--ram', '3', '--cpu', '1.5'];
    for (const args of [
      ['resize', id, ...size],
      ['suspend', id, '--reason', 'moderated'],
      ['resume', id],
    ])
      expect(await run(owner, ...args)).toMatchObject({ code: 1, err: 'Only administrators can do this.' });
    expect(await run(admin, 'resize', id, ...size)).toMatchObject({ code: 0, out: '' });
    await vi.waitFor(
      async () =>
        expect(await show()).toMatchObject({
          ...{ ram_mb: 3_072, cpu_millis: 1_500, lifecycle: 'ready', restart_due: true },
          ...{ state: 'running', started_at: before.started_at },
        }),
      { timeout: 60_000, interval: 500 },
    );
    const [{ Id } = { Id: '' }] = await containers();
    const { HostConfig } = await new Docker().getContainer(Id).inspect();
    expect(HostConfig).toMatchObject({ Memory: 3 * 1024 ** 3, NanoCpus: 1_500_000_000 });
    expect((await run(admin, 'resize', 'zzzzzzzz', ...size)).err).toBe('That server doesn’t exist.');

    // nothing reads its agent's output from now on
    expect(await cairn(root, env, 'node', 'rotate', 'local')).not.toContain('cna_');
    const kept = readFileSync(join(env.DATA_DIR!, 'agent', 'secret'), 'utf8');
    expect(kept).toMatch(/^cna_/);
    expect(kept).not.toBe(secret);
  });

  it('keeps running when the product stops, and the next start finds it', async () => {
    const before = await show();
    await own.product.end('SIGINT');
    expect(own.product.output()).toContain('1 game server is still running: the next start finds it.');
    expect(await containers()).toMatchObject([{ State: 'running' }]);
    own.product = start(root, env);
    await own.product.ready(60_000);
    expect(own.product.output()).toContain('1 game server is still running from an earlier start');
    expect((await until('running')).started_at, 'it was not started again').toBe(before.started_at);
    await mine('command', id, 'say', 'still here');
    await vi.waitFor(async () => expect(await mine('logs', id)).toContain('still here'), 20_000);
  });

  it('is restarted, stopped and deleted, and nothing is left', async () => {
    const before = (await show()).started_at;
    await mine('power', id, 'restart');
    await vi.waitFor(async () => expect((await show()).started_at).not.toBe(before), {
      timeout: 60_000,
      interval: 500,
    });
    await until('running');
    await mine('power', id, 'stop');
    await until('stopped');
    expect((await run(owner, 'command', id, 'list')).err).toContain('isn’t running');
    await mine('delete', id);
    expect(await run(owner, 'show', id)).toMatchObject({ code: 1, err: 'That server doesn’t exist.' });
    expect(JSON.parse(await mine('list', '--json'))).toEqual([]);
    await vi.waitFor(async () => expect(await containers()).toEqual([]), 60_000);
    await own.product.end('SIGTERM');
    expect(own.product.output()).not.toContain('still running:');
  });
});

/** `logs --follow` in a separate process. */
function following(): { text(): string; end(): void } {
  const child = spawn(process.execPath, ['bin/cairn.ts', 'server', 'logs', id, '--lines', '1', '--follow'], {
    cwd: root,
    env: envOf(owner),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let heard = '';
  child.stdout.on('data', (chunk: Buffer) => {
    heard += chunk;
  });
  return { text: () => heard, end: () => void child.kill('SIGTERM') };
}
