import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Browser, chromium as driver } from 'playwright';
import { chromium } from '../bin/chromium.ts';
import { freePort, start } from '../bin/testing/product.ts';
import { contactSheet } from './contact-sheet.ts';
import { inLanguage } from './pages.ts';
import { type Scene, scenes } from './scenes.ts';

/**
 * `npm run gallery`: screenshots of every screen, for review. `--url` uses a running product (one with PSEUDO_LOCALES=1
 * has all screens) instead of starting one, `--only` selects scenes by a part of their name, `--look` one look. They
 * are written below .tmp/gallery; index.html there shows them side by side.
 */
const folder = new URL('../.tmp/gallery/', import.meta.url);
const looks = [
  { name: 'desktop dark', width: 1280, height: 900, theme: 'dark', language: null },
  { name: 'desktop light', width: 1280, height: 900, theme: 'light', language: null },
  { name: 'phone dark', width: 390, height: 844, theme: 'dark', language: null },
  { name: 'phone light', width: 390, height: 844, theme: 'light', language: null },
  { name: 'right to left', width: 1280, height: 900, theme: 'light', language: 'ar-SA' },
] as const;
type Look = (typeof looks)[number];

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    only: { type: 'string', default: '' },
    look: { type: 'string', default: '' },
  },
});
const wantedScenes = scenes.filter(({ name }) => name.includes(values.only));
const wantedLooks = looks.filter(({ name }) => name.includes(values.look));

const own = values.url ? null : await startOwn();
const browser = await driver.launch({
  executablePath: (await chromium()) ?? undefined,
  args: ['--no-sandbox', '--disable-background-networking'],
});
try {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const look of wantedLooks) await takeAll(browser, look, values.url ?? own!.url);
  const page = new URL('index.html', folder);
  writeFileSync(
    page,
    contactSheet(
      wantedScenes,
      wantedLooks.map(({ name }) => name),
      fileOf,
    ),
  );
  console.log(`See ${page.href}`);
} finally {
  await browser.close();
  await own?.end();
}

/** A product with its own port and data, which is kept between runs to start faster. */
async function startOwn(): Promise<{ url: string; end: () => Promise<unknown> }> {
  const port = String(await freePort());
  console.log('Starting a product for the screenshots; the first time takes minutes.');
  const product = start(new URL('..', import.meta.url).pathname, {
    PORT: port,
    DATA_DIR: '.tmp/gallery-data',
    SEED: 'demo',
    RATE_LIMIT_PER_MINUTE: '0',
    PSEUDO_LOCALES: '1',
    LOG_LEVEL: 'warn',
  });
  await product.ready(10 * 60_000);
  return { url: `http://localhost:${port}`, end: () => product.end('SIGTERM') };
}

async function takeAll(within: Browser, look: Look, url: string): Promise<void> {
  const { width, height, theme, language } = look;
  const context = await within.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce', // no screenshots in the middle of a transition
    hasTouch: width < 640,
  });
  await context.addCookies([{ name: 'color-mode', value: theme, url }]);
  for (const scene of wantedScenes) {
    if (scene.only && !look.name.startsWith(scene.only)) continue;
    const page = await context.newPage();
    try {
      await page.goto(language ? inLanguage(scene.path, language) : scene.path, { waitUntil: 'load' });
      await scene.act?.(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({
        path: new URL(fileOf(scene, look.name), folder).pathname,
        fullPage: !scene.act,
      });
      console.log(`${look.name}: ${scene.name}`);
    } catch (error) {
      console.error(
        `${look.name}: ${scene.name} could not be taken: ${(error as Error).message.split('\n')[0]}`,
      );
      process.exitCode = 1;
    }
    await page.close();
  }
  await context.close();
}

function fileOf(scene: Scene, look: string): string {
  const slug = (text: string) => text.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '');
  return `${slug(scene.name) || 'home'}--${slug(look)}.png`;
}
