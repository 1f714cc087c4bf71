import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { chromium as browserOfSystem } from '../bin/chromium.ts';
import { openDemoSession } from './pages/demo-session.ts';
import { type Product, startBaseline } from './product.ts';
import { informational, type Row, ratioAtLeast } from './report.ts';
import { createBenchProject, tokenOf, writeJar } from './upload.ts';

const mib = 1024 * 1024;
const size = 300 * mib;
const rounds = 3;

interface Times {
  /** From choosing the file until the last byte is on the server’s disk, in milliseconds. */
  all_ms: number;
  /** Of these, before the first byte is sent. */
  before_ms: number;
}

/**
 * A file of 300 MiB in the form for versions, and the same bytes sent by the same browser to a bare server that hashes them and
 * writes them to a disk, in turns; of each the best round counts.
 */
export async function measureBrowserUpload(product: Product): Promise<Row[]> {
  const { url, data_dir } = product;
  const file = join(data_dir, 'bench-browser.jar');
  await writeJar(file, size);
  const project_id = await createBenchProject(url, tokenOf(data_dir));
  const executablePath = await browserOfSystem();
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  const bare = await startBaseline({ FOLDER: data_dir });
  try {
    const [ours, theirs]: [Times[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await renew(file);
      const sends = [
        async () => theirs.push(await toBareServer(browser, bare.url, file)),
        async () => ours.push(await toForm(browser, `${url}/mod/${project_id}/version/create`, file)),
      ];
      for (const send of round % 2 ? sends.reverse() : sends) await send();
    }
    const baseline = Math.min(...theirs);
    const sent_ms = Math.min(...ours.map(({ all_ms, before_ms }) => all_ms - before_ms));
    const all_ms = Math.min(...ours.map((times) => times.all_ms));
    const shown = (ms: number) =>
      `${(ms / 1000).toFixed(2)} s, ${((size / mib / ms) * 1000).toFixed(0)} MiB/s`;
    return [
      ratioAtLeast(0.7, {
        name: 'browser upload of 300 MiB, from the first byte to “Uploaded”',
        ratio: baseline / sent_ms,
        ours: shown(sent_ms),
        baseline: shown(baseline),
      }),
      informational(
        'the same from choosing the file: hashed and asked for first',
        shown(all_ms),
        shown(baseline),
      ),
    ];
  } finally {
    await bare.stop();
    await browser.close();
    await rm(file, { force: true });
  }
}

/** Other bytes in the middle of the archive: a file that is known already is not sent again. */
async function renew(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.write(randomBytes(mib), 0, mib, size / 2);
  await handle.close();
}

async function toForm(browser: Browser, address: string, file: string): Promise<Times> {
  const page = await browser.newPage({ baseURL: new URL(address).origin });
  try {
    await openDemoSession(page);
    await page.goto(address);
    await page.locator('[name="version_type"]:enabled').first().waitFor();
    await page.evaluate(() => {
      const times = globalThis as unknown as Record<string, number>;
      addEventListener('change', () => (times.chosen = performance.now()), { capture: true, once: true });
      new MutationObserver(() => {
        const state = document.querySelector('.picked > li')?.getAttribute('data-state');
        if (state === 'sending') times.sending ??= performance.now();
        if (state === 'sent') times.sent ??= performance.now();
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await page.locator('.dropzone input').setInputFiles(file);
    const { chosen, sending, sent } = await times(page, 'sent');
    return { all_ms: sent! - chosen!, before_ms: sending! - chosen! };
  } finally {
    await page.close();
  }
}

async function toBareServer(browser: Browser, address: string, file: string): Promise<number> {
  const page = await browser.newPage();
  try {
    await page.goto(`${address}/form`);
    await page.evaluate(() => {
      const times = globalThis as unknown as Record<string, number>;
      document.querySelector('input')!.addEventListener('change', async ({ target }) => {
        times.chosen = performance.now();
        const answer = await fetch('/upload', {
          method: 'POST',
          body: (target as HTMLInputElement).files![0]!,
        });
        if (answer.ok) times.sent = performance.now();
      });
    });
    await page.locator('input').setInputFiles(file);
    const { chosen, sent } = await times(page, 'sent');
    return sent! - chosen!;
  } finally {
    await page.close();
  }
}

/** What the page noted, once it has noted `last`. */
async function times(page: Page, last: string): Promise<Record<string, number>> {
  await page.waitForFunction((name) => name in globalThis, last, { timeout: 300_000, polling: 100 });
  return await page.evaluate(() => {
    const { chosen, sending, sent } = globalThis as unknown as Record<string, number>;
    return { chosen: chosen!, sending: sending ?? 0, sent: sent! };
  });
}
