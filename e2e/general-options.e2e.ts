import { existsSync, readFileSync } from 'node:fs';
import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { weigh } from '../bench/pages/weigh.ts';
import { pngSize } from '../db/hosting/servers/icon/rules.ts';
import { signInAs } from './accounts.ts';
import { answerRequests } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { islandsBegun } from './islands-begun.ts';
import { inLanguage } from './pages.ts';
import { dataFolder } from './product.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** General options, info and preferences of a server, and what all pages of a server weigh. */
const tag = Date.now().toString(36);
const domain = 'servers.cairn.test';
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Agate' });
});
test.afterAll(() => server?.close());

const open = (page: Page, path: string) => server.open(page, `${server.address}${path}`);
const state = (page: Page) => page.getByRole('main').locator('.badge').first();
const fitsPhone = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
};

test('name, icon and address: what is saved is in the file, the header and the zone', async ({ page }) => {
  await open(page, '');
  await expect(state(page)).toHaveText('Stopped');
  await page
    .getByRole('navigation', { name: 'Server sections' })
    .getByRole('link', { name: 'Options' })
    .click();
  await page.waitForURL(`**${server.address}/options`);

  await islandsBegun(page);
  await expect(page.getByLabel('Name', { exact: true })).not.toHaveValue('');
  await page.getByLabel('Name', { exact: true }).fill('');
  await expect(page.getByText('Server names must be 1 to 48 characters long.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Agate Bay');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Agate Bay' })).toBeVisible();

  const icon = page.getByRole('img', { name: 'Current server icon' });
  await expect(page.getByRole('img', { name: 'No icon' })).toBeVisible();
  const pick = page.locator('[data-pick=icon]');
  await pick.setInputFiles({ name: 'odd.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('Your browser can’t read this image.')).toBeVisible();
  const wide = await sharp({ create: { width: 300, height: 120, channels: 3, background: '#c04010' } })
    .webp()
    .toBuffer();
  await pick.setInputFiles({ name: 'wide.webp', mimeType: 'image/webp', buffer: wide });
  await expect(icon).toBeVisible();
  const header = page.locator('.shead img.pic');
  await expect(header).toHaveJSProperty('naturalWidth', 64);
  const file = `.tmp/icon-${tag}.png`;
  await server.command('icon', 'get', server.id, file);
  expect(await sharp(readFileSync(file)).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(icon).toBeHidden();
  await expect(header).toBeHidden();
  await expect(page.locator('.shead .glyph')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(icon).toBeVisible();
  await expect(header).toBeVisible();

  const name = page.getByLabel('Subdomain');
  await name.fill('ab');
  await expect(page.getByText('Subdomains must be 5 to 32 characters long.')).toBeVisible();
  await name.fill('postmaster');
  await expect(page.getByText(/No server can have the subdomain .?postmaster/)).toBeVisible();
  await name.fill(`Bay-${tag}`);
  await expect(page.getByText('This subdomain is available.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  const address = page.locator('.shead .copy');
  await expect(address).toContainText(`bay-${tag}.${domain}`);
  await name.fill(`cove-${tag}`);
  await expect(page.getByText('This subdomain is available.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(page.getByRole('dialog')).toContainText(`bay-${tag}.${domain}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Change subdomain' }).click();
  await expect(address).toContainText(`cove-${tag}.${domain}`);
  await page.getByText('DNS records').click();
  await expect(page.getByText(`_minecraft._tcp.cove-${tag}.${domain}`)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await page.goto('/servers/manage');
  await expect(page.locator('.srvs img.pic')).toHaveJSProperty('naturalWidth', 64);
  await page.goto(inLanguage(`${server.address}/options`, 'ar-SA'));
  await expect(page.locator('.icon-part')).toBeVisible();
  await fitsPhone(page);
  // it is written every fifteen seconds, mostly while this test does something else
  const path = `${dataFolder}/servers.zone`;
  const zone = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await expect
    .poll(() => zone().includes(`_minecraft._tcp.cove-${tag}.${domain}. IN SRV 0 5 `), { timeout: 60_000 })
    .toBe(true);
});

test('takes the icon of the modpack, and says what was refused', async ({ page }) => {
  const pack = { title: 'Deepwood', icon_url: '/icon-192.png' };
  let refusal: object | null = {
    ...{ ok: false, error: 'file_changed', status: 409, description: 'It was changed meanwhile.' },
  };
  const { asked } = await answerRequests(page, {
    'icon.show': () => ({ ok: true, png: null, etag: '', pack }),
    'icon.change': ({ png }) => refusal ?? { ok: true, png, etag: 'two', pack },
  });
  await open(page, '/options');
  const take = page.getByRole('button', { name: 'Use the modpack’s icon' });
  await take.click();
  await expect(page.getByText('It was changed meanwhile.')).toBeVisible();
  refusal = null;
  await take.click();
  await expect(page.getByRole('img', { name: 'Current server icon' })).toBeVisible();
  await expect(page.getByText('It was changed meanwhile.')).toBeHidden();
  const sent = asked.findLast(({ name }) => name === 'icon.change')!.message.png as string;
  expect(pngSize(Buffer.from(sent, 'base64'))).toEqual({ width: 64, height: 64 });
});

test('info: what programs ask for, and a bundle without secrets', async ({ page }) => {
  const { id, renter } = server;
  await open(page, '/options/info');
  await expect(page.getByText(id, { exact: true })).toBeVisible();
  await expect(page.getByText(`${renter.username}.${id}`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Create password' }).click();
  const password = page.getByText(/^\w{24}$/);
  await expect(password).toBeVisible();
  const secret = await password.innerText();
  const everything = page.getByRole('link', { name: 'Create archive' });
  await expect(everything).toHaveAttribute('href', `/servers/manage/${id}/backups#backups-export`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^debug-${id}-.*\\.txt$`));
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain(`"id": "${id}"`);
  expect(text).toContain('server.sftp_password_set, by owner');
  const secrets = [secret, renter.username, `${renter.username}@example.org`, renter.token];
  for (const one of secrets) expect(text).not.toContain(one);
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await page.goto(inLanguage(`${server.address}/options/info`, 'ar-SA'));
  await expect(page.getByText(`${renter.username}.${id}`, { exact: true })).toBeVisible();
  await fitsPhone(page);
});

test('preferences stay in this browser and act where they are about', async ({ page }) => {
  await open(page, '/options/preferences');
  const main = page.getByRole('main');
  await page.getByLabel('Hide addresses').check();
  await page.getByLabel('Memory as an amount').uncheck();
  await page.getByLabel('Back up running servers without asking').uncheck();
  await page.getByLabel('stopping a server').uncheck();
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running');

  const { address } = JSON.parse(await server.command('show', server.id, '--json'));
  const answer = await page.goto(server.address);
  // nor does it appear for a moment
  expect((await answer!.text()).match(/class="mono copy"[^>]*>.*?<\/button>/s)?.[0]).toContain('•••••');
  await expect(main).not.toContainText(domain);
  await expect(main).not.toContainText(`${address.host}:${address.port}`);
  const memory = page.locator('.cards > div').filter({ hasText: 'Memory' }).locator('.figure');
  await expect
    .poll(async () => {
      server.node.stats(server.id, 0.5);
      return await memory.innerText();
    })
    .toContain('%');
  await page.goto('/servers/manage');
  await expect(page.getByRole('link', { name: /^Agate/ })).toBeVisible();
  await expect(main).not.toContainText(domain);

  await page.goto(`${server.address}/backups`);
  await page.getByRole('button', { name: 'Create backup' }).click();
  await expect(page.getByRole('dialog')).toContainText('Back up the running server?');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(state(page)).toHaveText('Stopped');

  await page.goto(inLanguage(`${server.address}/options/preferences`, 'ar-SA'));
  await fitsPhone(page);
});

/** Every page of a server, below its address. */
const paths = [
  '',
  ...['content', 'players', 'files', 'backups', 'schedules', 'performance', 'access', 'access/activity'],
  'options',
  ...['loader', 'properties', 'startup', 'network', 'sleep', 'alerts', 'info', 'preferences', 'billing'].map(
    (one) => `options/${one}`,
  ),
].map((path) => `/${path}`.replace(/\/$/, ''));
/** The overview has the console on top, and performance its charts, once there are figures. Names of files alone move 20 bytes. */
const most_script: Record<string, number> = { '': 119_200, '/performance': 130_000 };
/** Bounds of pages below that of all, in bytes. */
const most_style: Record<string, number> = { '': 14_600, '/backups': 14_300, '/content': 14_800 };

test('every page of a server is light', async ({ page }) => {
  test.setTimeout(300_000); // twenty pages
  await signInAs(page, server.renter.username);
  for (const path of paths) {
    // what earlier pages left in the cache is counted like what comes from the server
    const { script_bytes, style_bytes } = await weigh(page, `${server.address}${path}`);
    // 57 kB of React, 13 kB of Socket.IO, 15 kB of every page, 30 kB of its own
    expect.soft(script_bytes, `scripts of ${path}`).toBeLessThanOrEqual(most_script[path] ?? 115_000);
    expect.soft(style_bytes, `style sheets of ${path}`).toBeLessThanOrEqual(most_style[path] ?? 15_000);
  }
});
