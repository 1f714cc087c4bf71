import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'playwright/test';
import { token, user } from '#db/testing/builders/build.ts';
import type { TestDatabase } from '#db/testing/database.ts';
import { zipOf } from '#db/testing/zips.ts';
import type { OwnBrowser } from './own-browser.ts';
import { type SiteProcess, sessionCookie } from './own-site.ts';

interface Parts {
  site: SiteProcess;
  database: TestDatabase;
  browser: OwnBrowser;
}
interface Line {
  file_bytes: number;
  bytes_per_second: number;
}
interface Journey {
  /** Where the browser continued after the restart, in bytes. */
  continued_at: number;
  /** The offsets of all pieces sent since the server was killed. */
  offsets: number[];
  file_sha512: string;
  /** Of the file of the published version. */
  stored_sha512: string;
  /** Growth of the resident memory while the file was sent, in bytes: of the site, the larger of both processes, and of the browser. */
  site_grew: number;
  browser_grew: number;
}

/** It fills the whole form. */
const manifest = {
  ...{ schemaVersion: 1, id: 'long-way', name: 'Long way', version: '1.0', environment: 'client' },
  depends: { minecraft: '1.21.4' },
};

/** Publishes a file from a real browser on a slow line; the site is killed with SIGKILL in the middle of it, and started again. */
export async function uploadThroughCrash(
  { site, database: { sql }, browser: own }: Parts,
  { file_bytes, bytes_per_second }: Line,
): Promise<Journey> {
  const owner = await user(sql);
  const authorization = await token(sql, owner);
  await draft(site, authorization);
  const file = await zipOf(
    { 'fabric.mod.json': JSON.stringify(manifest), noise: randomBytes(file_bytes) },
    { store: true },
  );
  const path = join(site.env.DATA_DIR!, 'long-way.jar');
  await writeFile(path, file);
  const page = await own.newPage(site.url, {}, await sessionCookie(sql, owner));
  await page.goto('/mod/long-way/version/create');
  await expect(page.getByLabel('Version number')).toBeEnabled({ timeout: 60_000 });
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: bytes_per_second },
  });
  let offsets: number[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']));
  });
  const looks = await memoryOf(site, own);
  const before = watchMemory(looks);
  await page.locator('.dropzone input').setInputFiles(path);
  const row = page.locator('.picked > li');
  await expect(row).toContainText('per second', { timeout: 300_000 });
  await expect
    .poll(async () => Number(await row.locator('progress').getAttribute('value')), { timeout: 600_000 })
    .toBeGreaterThan(0.4);
  const grew = [await before.stop()];
  offsets = [];
  await site.end();
  await expect(row).toContainText('Connection lost.', { timeout: 60_000 });
  await site.start();
  await expect(row).not.toContainText('Connection lost.', { timeout: 120_000 });
  const after = watchMemory(looks); // what the restart itself needs is not the upload's
  await expect(row).toContainText('Uploaded', { timeout: 600_000 });
  grew.push(await after.stop());
  await page.getByRole('button', { name: 'Publish version' }).click();
  // the message is a toast, which may be over before a busy machine has drawn the page
  await page.waitForURL(({ pathname }) => /\/version\/\w{8}$/.test(pathname), { timeout: 120_000 });
  return {
    ...{ continued_at: offsets[0] ?? 0, offsets },
    site_grew: Math.max(...grew.map(({ site_grew }) => site_grew)),
    browser_grew: Math.max(...grew.map(({ browser_grew }) => browser_grew)),
    file_sha512: createHash('sha512').update(file).digest('hex'),
    stored_sha512: await storedHash(site, authorization),
  };
}

async function draft({ url }: SiteProcess, authorization: string): Promise<void> {
  const body = new FormData();
  const data = {
    ...{ title: 'Long way', slug: 'long-way', description: 'Sent over a slow line.', body: '' },
    ...{ client_side: 'required', server_side: 'optional', categories: [], license_id: 'MIT' },
    ...{ is_draft: true, initial_versions: [] },
  };
  body.append('data', new Blob([JSON.stringify(data)], { type: 'application/json' }));
  const made = await fetch(`${url}/v2/project`, { method: 'POST', headers: { authorization }, body });
  expect(made.status, await made.clone().text()).toBe(200);
}

async function storedHash({ url }: SiteProcess, authorization: string): Promise<string> {
  const answer = await fetch(`${url}/v2/project/long-way/version`, { headers: { authorization } });
  const [version] = (await answer.json()) as Array<{ files: Array<{ hashes: { sha512: string } }> }>;
  return version!.files[0]!.hashes.sha512;
}

/** A process and its resident bytes, zero while it is started anew. */
type Look = () => Promise<[pid: number, bytes: number]>;

async function memoryOf(
  site: SiteProcess,
  { browser }: OwnBrowser,
): Promise<Record<'site' | 'browser', Look>> {
  const system = await browser.newBrowserCDPSession();
  return {
    site: async () => [site.pid, residentBytes(site.pid)],
    browser: async () => {
      const { processInfo } = await system.send('SystemInfo.getProcessInfo');
      return [0, processInfo.reduce((sum, { id }) => sum + residentBytes(id), 0)];
    },
  };
}

/** Looks at the memory of processes until `stop`, which gives how much each grew since it was first seen. */
function watchMemory({ site, browser }: { site: Look; browser: Look }) {
  const [siteGrowth, browserGrowth] = [new Growth(), new Growth()];
  let isEnded = false;
  const looks = (async () => {
    for (; !isEnded; await wait(200)) {
      siteGrowth.note(await site());
      browserGrowth.note(await browser());
    }
  })();
  looks.catch(() => {}); // a test that fails closes the browser under it
  return {
    async stop() {
      isEnded = true;
      await looks;
      return { site_grew: siteGrowth.most, browser_grew: browserGrowth.most };
    },
  };
}

/** How much a process grew since it was first seen; another process begins anew. */
class Growth {
  most = 0;
  #pid = -1;
  #first = 0;

  note([pid, bytes]: [number, number]): void {
    if (bytes === 0) return; // between two processes
    if (pid !== this.#pid) [this.#pid, this.#first] = [pid, bytes];
    this.most = Math.max(this.most, bytes - this.#first);
  }
}

/** Zero when there is no such process. */
function residentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
