import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { labels } from '#agents/docker/client.ts';
import { installed } from './chromium.ts';
import { root } from './install.mjs';
import { proportionalBytes } from './process-memory.ts';
import { ownProduct, password, person } from './testing/own-product.ts';
import { cairn, start } from './testing/product.ts';

/** `npm start -- --planes 2`: two control planes, of which any one may end. Source: hosting §5. */
const own = ownProduct({ CONTROL_PLANES: '2', SERVER_KIND: 'local', PAYMENTS: 'test' });
const { env } = own;
let browser: Browser;
let token = '';
let id = '';

/** A second control plane costs at most this much memory. */
const max_plane_mb = 150;
/** From the end of a plane until its agents and viewers are at the other one. */
const move_limit_ms = 10_000;

function pidOf(name: string): number {
  const noted = JSON.parse(readFileSync(join(env.DATA_DIR!, 'cairn.children'), 'utf8')) as Array<{
    name: string;
    pid: number;
  }>;
  return noted.find((one) => one.name === name)!.pid;
}
/** What a process adds: pages that it shares, such as those of Node itself, count by their share. */
const addedMb = (pid: number): number => proportionalBytes(pid) / 1024 / 1024;

async function server(...args: string[]): Promise<string> {
  return await cairn(root, env, 'server', '--token', token, ...args);
}

beforeAll(async () => {
  token = await person(own, 'ada');
  id = await server('create', '--plan', 'small', '--name', 'Valley', '--kind', 'local');
  await server('power', id, 'start');
  const running = async () => expect(JSON.parse(await server('show', id, '--json')).state).toBe('running');
  await vi.waitFor(running, { timeout: 240_000, interval: 1_000 });
  const path = installed();
  browser = await chromium.launch({ ...(path && { executablePath: path }), args: ['--no-sandbox'] });
}, 300_000);
afterAll(async () => {
  await browser?.close();
});

describe('two control planes', () => {
  it('start together, and the second costs little memory', () => {
    expect(own.product.output()).toContain('Planes    2 control planes');
    const added = addedMb(pidOf('control plane 2'));
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(max_plane_mb);
  });

  it('are refused in one line when they are too many', async () => {
    const other = { ...env, DATA_DIR: join(own.folder, 'other'), PORT: '0', CONTROL_PLANES: '9' };
    const second = start(root, other);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain('CONTROL_PLANES=9 is not allowed: use a whole number from 1 to 4.');
  });

  it('keep a console: each of them is killed, and no line is missing or twice', async () => {
    const page = await openConsole();
    const game = await typing();
    try {
      for (const name of ['control plane', 'control plane 2']) {
        await vi.waitFor(async () => expect(await ticksOn(page)).toContain(game.count - 1), 30_000);
        const pid = pidOf(name);
        process.kill(pid, 'SIGKILL');
        const killed = Date.now();
        const at = game.count;
        await vi.waitFor(async () => expect(await ticksOn(page)).toContain(at + 2), {
          timeout: move_limit_ms,
          interval: 100,
        });
        console.log(`A console went on ${Date.now() - killed} ms after the end of its ${name}.`);
        await vi.waitFor(() => expect(pidOf(name)).not.toBe(pid), 30_000);
        await page.waitForTimeout(3_000); // the one that came back is up
      }
    } finally {
      game.stop();
    }
    const all = Array.from({ length: game.count }, (_, number) => number);
    await vi.waitFor(async () => expect(await ticksOn(page)).toEqual(all), 20_000);
    await page.close();
  }, 180_000);
});

/** The console in a browser that is high enough to show all its lines. */
async function openConsole(): Promise<Page> {
  const context = await browser.newContext({ baseURL: own.site, viewport: { width: 1280, height: 4_000 } });
  const page = await context.newPage();
  await page.goto(`/auth/sign-in?redirect=/servers/manage/${id}`);
  await page.getByLabel('Email or username').fill('ada');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`**/servers/manage/${id}`);
  await page.locator('.term li').first().waitFor();
  return page;
}

/** The numbers of all ticks that the console shows, in its order. */
async function ticksOn(page: Page): Promise<number[]> {
  const lines = page.locator('.term li');
  const texts = await lines.evaluateAll((all) =>
    (all as HTMLElement[])
      .sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at))
      .map(({ textContent }) => textContent ?? ''),
  );
  return texts.flatMap((text) => /tick-(\d+)\./.exec(text)?.slice(1).map(Number) ?? []);
}

/** Types a numbered line into the server twice a second, past Cairn. */
async function typing(): Promise<{ readonly count: number; stop(): void }> {
  const docker = new Docker();
  const [found] = await docker.listContainers({ filters: { label: [`${labels.server}=${id}`] } });
  const stream = await docker.getContainer(found!.Id).attach({ stream: true, hijack: true, stdin: true });
  let count = 0;
  const timer = setInterval(() => {
    stream.write(`say tick-${count}.\n`);
    count += 1;
  }, 500);
  return {
    get count() {
      return count;
    },
    stop() {
      clearInterval(timer);
      stream.end();
    },
  };
}
