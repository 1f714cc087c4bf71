import type { Page } from 'playwright';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { type Machine, machine } from '#control/testing/machine.ts';
import { type PlaneProcess, planeProcess } from '#control/testing/plane-process.ts';
import { user } from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { ownBrowser } from './testing/own-browser.ts';
import { ownSite, sessionCookie } from './testing/own-site.ts';

/** A console in a browser, behind a site with two control planes of which any one may end. Source: hosting §5. */
const database = testDatabase();
const planes: PlaneProcess[] = [];
let options: Parameters<typeof planeProcess>[0];
const site = ownSite(database, { PAYMENTS: 'test' }, async ({ url, env }) => {
  options = { database, data: env.DATA_DIR!, env: { SITE_URL: url } };
  planes.push(...(await Promise.all([planeProcess(options), planeProcess(options)])));
  env.CONTROL_URL = urlsOf(planes).join();
});
const browser = ownBrowser();
afterAll(async () => {
  await Promise.all(planes.map((plane) => plane.end()));
});
const urlsOf = (all: PlaneProcess[]) => all.map(({ url }) => url);

it('goes on when each of them is killed, and no line is missing or twice', async () => {
  const rented = await machine(database.sql, urlsOf(planes), 500);
  onTestFinished(() => rented.agent.end());
  const page = await openConsole(rented);
  for (const [at, url] of urlsOf(planes).entries()) {
    await goesOn(page);
    await planes[at]!.end();
    await goesOn(page);
    // as its supervisor does
    planes[at] = await planeProcess({ ...options, port: Number(new URL(url).port) });
  }
  await goesOn(page);
  const numbers = await linesOn(page);
  expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
}, 180_000);

/** The console in a browser that is high enough to show all its lines. */
async function openConsole({ server_id }: Machine): Promise<Page> {
  // the owner's page shows a subscription too, which this server lacks
  const viewer = await user(database.sql);
  await database.sql`
    insert into server_members (server_id, user_id, role, rights, accepted)
    values (${server_id}, ${viewer.id}, 'viewer', '{}', now())`;
  const cookie = await sessionCookie(database.sql, viewer);
  const page = await browser.newPage(site.url, { viewport: { width: 1280, height: 4_000 } }, cookie);
  await page.goto(`/servers/manage/${server_id}`);
  await page.locator('.term li').first().waitFor();
  return page;
}

/** The numbers of all lines that the console shows, in its order. */
async function linesOn(page: Page): Promise<number[]> {
  const texts = await page
    .locator('.term li')
    .evaluateAll((all) =>
      (all as HTMLElement[])
        .sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at))
        .map(({ textContent }) => textContent ?? ''),
    );
  return texts.flatMap((text) => /line (\d+)$/.exec(text.trim())?.slice(1).map(Number) ?? []);
}

/** Waits for lines that the server printed after now. */
async function goesOn(page: Page): Promise<void> {
  const last = (await linesOn(page)).at(-1)!;
  await expect
    .poll(async () => (await linesOn(page)).at(-1), { timeout: 60_000, interval: 100 })
    .toBeGreaterThan(last + 4);
}
