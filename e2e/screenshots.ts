import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, chromium as driver } from 'playwright';
import { chromium } from '../bin/chromium.ts';
import { freePort, start } from '../bin/testing/product.ts';
import { contactSheet } from './contact-sheet.ts';
import type { Scene } from './scene.ts';

/**
 * `npm run gallery`: pictures of every screen, for eyes: each in its usual state at 1280 light and at 390 dark, and the states
 * of `page-states.ts`. `--only` selects scenes by a part of their name or state, `--look` one look; `--swap` takes 1280 dark
 * and 390 light instead. They are written below .tmp/gallery; index.html there shows them side by side. The product it starts keeps its data, to start faster.
 */
const folder = new URL('../.tmp/gallery/', import.meta.url);
const looks = [
  { name: 'desktop', width: 1280, height: 900, theme: 'light' },
  { name: 'phone', width: 390, height: 844, theme: 'dark' },
] as const;
interface Look {
  name: (typeof looks)[number]['name'];
  width: number;
  height: number;
  theme: 'light' | 'dark';
}
/** Pages at once: more do not help two processors. */
const at_once = 3;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    look: { type: 'string', default: '' },
    swap: { type: 'boolean', default: false },
  },
});
const begun_ms = Date.now();
const port = await freePort();
// the modules of the browser tests find the product by these
process.env.E2E_PORT = String(port);
process.env.E2E_DATA = new URL('../.tmp/gallery-data', import.meta.url).pathname;
const own = await startOwn();
const { newAccount, signInAs } = await import('./accounts.ts');
const { folderNode } = await import('./folder-node.ts');
const { rentedServer } = await import('./rented-server.ts');
const { scenesWith } = await import('./scenes.ts');
const browser = await driver.launch({
  executablePath: (await chromium()) ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
});
const server = await rentedServer(folderNode, { name: 'Old Quarry' });
try {
  await server.start();
  const newcomer = await newAccount('new');
  const readers: Record<string, string> = { newcomer: newcomer.username, renter: server.renter.username };
  const scenes = scenesWith(server.address).filter(
    ({ name, state }) => name.includes(values.only) || state.includes(values.only),
  );
  const wanted = looks
    .filter(({ name }) => name.includes(values.look))
    .map((look): Look => ({ ...look, theme: values.swap === (look.theme === 'dark') ? 'light' : 'dark' }));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const taken = scenes.flatMap((scene) =>
    wanted.filter(({ name }) => !scene.only || scene.only === name).map((look) => ({ scene, look })),
  );
  const left = [...taken];
  const contexts = new Map<string, Promise<BrowserContext>>();
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const { scene, look } = next;
      const reader = scene.reader === null ? null : (readers[scene.reader] ?? scene.reader);
      const key = `${reader} ${look.name}`;
      contexts.set(key, contexts.get(key) ?? contextFor(browser, look, reader));
      await take((await contexts.get(key))!, scene, look);
    }
  };
  await Promise.all(Array.from({ length: at_once }, worker));
  const page = new URL('index.html', folder);
  writeFileSync(
    page,
    contactSheet(taken.map(({ scene, look }) => ({ ...scene, look: look.name, file: fileOf(scene, look) }))),
  );
  console.log(
    `${taken.length} pictures in ${Math.round((Date.now() - begun_ms) / 1000)} s. See ${page.href}`,
  );
} finally {
  await browser.close();
  await server.close();
  await own.end();
}

/** A product with its own port and data, which is kept between runs. */
async function startOwn(): Promise<{ end: () => Promise<unknown> }> {
  console.log('Starting a product for the pictures; the first time takes minutes.');
  const product = start(new URL('..', import.meta.url).pathname, {
    PORT: String(port),
    SITE_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: process.env.E2E_DATA!,
    SEED: 'demo',
    RATE_LIMIT_PER_MINUTE: '0',
    PSEUDO_LOCALES: '1',
    LOG_LEVEL: 'warn',
    AGENT_DISK: 'measured',
    SFTP_PORT: String(await freePort()),
  });
  await product.ready(10 * 60_000);
  return { end: () => product.end('SIGTERM') };
}

async function contextFor(within: Browser, look: Look, reader: string | null): Promise<BrowserContext> {
  const { width, height, theme } = look;
  const context = await within.newContext({
    baseURL: `http://127.0.0.1:${port}`,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce', // no pictures in the middle of a transition
    serviceWorkers: 'block',
    hasTouch: width < 640,
  });
  await context.addCookies([{ name: 'color-mode', value: theme, url: `http://127.0.0.1:${port}` }]);
  if (reader === null) return context;
  const page = await context.newPage();
  await signInAs(page, reader);
  await page.close();
  return context;
}

async function take(context: BrowserContext, scene: Scene, look: Look): Promise<void> {
  const page = await context.newPage();
  try {
    await scene.before?.(page);
    await page.goto(scene.path, { waitUntil: 'load' });
    await scene.act?.(page);
    // what never answers is not waited for
    if (scene.before) await page.waitForTimeout(1_500);
    else await page.waitForLoadState('networkidle');
    await page.screenshot({ path: new URL(fileOf(scene, look), folder).pathname, fullPage: !scene.act });
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    console.error(`${look.name}: ${scene.name} (${scene.state}) could not be taken: ${why}`);
    process.exitCode = 1;
  }
  await page.close();
}

function fileOf(scene: Scene, look: Look): string {
  const slug = (text: string) => text.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '');
  return `${slug(scene.name) || 'home'}--${slug(scene.state)}--${look.name}.png`;
}
