import { existsSync, readFileSync } from 'node:fs';
import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { weigh } from '../bench/pages/weigh.ts';
import { pngSize } from '../db/servers/icon/rules.ts';
import { answerRequests } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { islandsBegun } from './islands-begun.ts';
import { inLanguage } from './pages.ts';
import { dataFolder } from './product.ts';

/** General options, info and preferences of a real server, and what all pages of a server weigh. */
const tag = Date.now().toString(36);
const who = `agate${tag}`;
const word = 'nine-warm-stones';
const domain = 'servers.cairn.test';
let id = '';
let token = '';

test.describe.configure({ mode: 'default', timeout: 300_000 });
test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Agate', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

async function open(page: Page, path: string): Promise<void> {
  const to = `/servers/manage/${id}${path}`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const state = (page: Page) => page.getByRole('main').locator('.badge').first();
/** A picture in every look, where somebody wants to see them. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (!folder) return;
  for (const [width, scheme] of [
    [1280, 'dark'],
    [1280, 'light'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
}
const fitsPhone = async (page: Page) => {
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
};

test('name, icon and address: what is saved is in the file, the header and the zone', async ({ page }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  await open(page, '');
  await expect(state(page)).toHaveText('Stopped', { timeout: 300_000 });
  await page
    .getByRole('navigation', { name: 'Server sections' })
    .getByRole('link', { name: 'Options' })
    .click();
  await page.waitForURL(`**/servers/manage/${id}/options`);

  await islandsBegun(page);
  await expect(page.getByLabel('Name', { exact: true })).not.toHaveValue('');
  await page.getByLabel('Name', { exact: true }).fill('');
  await expect(page.getByText('Server names must be 1 to 48 characters long.')).toBeVisible();
  await page.getByLabel('Name', { exact: true }).fill('Agate Bay');
  await page.getByRole('button', { name: 'Save', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Agate Bay' })).toBeVisible();

  const icon = page.getByRole('img', { name: 'The icon of the server now' });
  await expect(page.getByRole('img', { name: 'No icon' })).toBeVisible();
  const pick = page.locator('[data-pick=icon]');
  await pick.setInputFiles({ name: 'odd.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('This isn’t a picture that your browser can read.')).toBeVisible();
  const wide = await sharp({ create: { width: 300, height: 120, channels: 3, background: '#c04010' } })
    .webp()
    .toBuffer();
  await pick.setInputFiles({ name: 'wide.webp', mimeType: 'image/webp', buffer: wide });
  await expect(icon).toBeVisible();
  const header = page.locator('.shead img.pic');
  await expect(header).toHaveJSProperty('naturalWidth', 64);
  const file = `.tmp/icon-${tag}.png`;
  await cairn('server', '--token', token, 'icon', 'get', id, file);
  expect(await sharp(readFileSync(file)).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(icon).toBeHidden();
  await expect(header).toBeHidden();
  await expect(page.locator('.shead .glyph')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(icon).toBeVisible();
  await expect(header).toBeVisible();

  const name = page.getByLabel('Name for players');
  await name.fill('ab');
  await expect(page.getByText('The name must be 5 to 32 characters long.')).toBeVisible();
  await name.fill('postmaster');
  await expect(page.getByText(/No server can have the name .?postmaster/)).toBeVisible();
  await name.fill(`Bay-${tag}`);
  await expect(page.getByText('This name is free.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  const address = page.locator('.shead .copy');
  await expect(address).toContainText(`bay-${tag}.${domain}`);
  // it is written within a minute after the start
  const path = `${dataFolder}/servers.zone`;
  const zone = () => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await expect
    .poll(() => zone().includes(`_minecraft._tcp.bay-${tag}.${domain}. IN SRV 0 5 `), { timeout: 60_000 })
    .toBe(true);
  await name.fill(`cove-${tag}`);
  await expect(page.getByText('This name is free.')).toBeVisible();
  await page.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(page.getByRole('dialog')).toContainText(`bay-${tag}.${domain}`);
  await page.getByRole('dialog').getByRole('button', { name: 'Change the name' }).click();
  await expect(address).toContainText(`cove-${tag}.${domain}`);
  await page.getByText('DNS records').click();
  await expect(page.getByText(`_minecraft._tcp.cove-${tag}.${domain}`)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await picture(page, 'general');
  await page.goto('/servers/manage');
  await expect(page.locator('.srvs img.pic')).toHaveJSProperty('naturalWidth', 64);
  await page.goto(inLanguage(`/servers/manage/${id}/options`, 'ar-SA'));
  await expect(page.locator('.icon-part')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await picture(page, 'general-ar');
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
  await expect(page.getByRole('img', { name: 'The icon of the server now' })).toBeVisible();
  await expect(page.getByText('It was changed meanwhile.')).toBeHidden();
  const sent = asked.findLast(({ name }) => name === 'icon.change')!.message.png as string;
  expect(pngSize(Buffer.from(sent, 'base64'))).toEqual({ width: 64, height: 64 });
});

test('info: what programs ask for, and a bundle without secrets', async ({ page }) => {
  await open(page, '/options/info');
  await expect(page.getByText(id, { exact: true })).toBeVisible();
  await expect(page.getByText(`${who}.${id}`, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Make password' }).click();
  const password = page.getByText(/^\w{24}$/);
  await expect(password).toBeVisible();
  const secret = await password.innerText();
  const everything = page.getByRole('link', { name: 'Make the archive' });
  await expect(everything).toHaveAttribute('href', `/servers/manage/${id}/backups#backups-export`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^debug-${id}-.*\\.txt$`));
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain(`"id": "${id}"`);
  expect(text).toContain('server.sftp_password_set, by owner');
  for (const one of [secret, who, `${who}@example.org`, token]) expect(text).not.toContain(one);
  expect(await axeFinds(page)).toEqual([]);
  await fitsPhone(page);
  await picture(page, 'info');
  await page.goto(inLanguage(`/servers/manage/${id}/options/info`, 'ar-SA'));
  await expect(page.getByText(`${who}.${id}`, { exact: true })).toBeVisible();
  await fitsPhone(page);
  await picture(page, 'info-ar');
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
  await picture(page, 'preferences');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running', { timeout: 120_000 });

  const { address } = JSON.parse(await cairn('server', '--token', token, 'show', id, '--json'));
  const answer = await page.goto(`/servers/manage/${id}`);
  // nor does it appear for a moment
  expect((await answer!.text()).match(/class="mono copy"[^>]*>.*?<\/button>/s)?.[0]).toContain('•••••');
  await expect(main).not.toContainText(domain);
  await expect(main).not.toContainText(`${address.host}:${address.port}`);
  await expect(page.locator('.cards > div').filter({ hasText: 'Memory' }).locator('.figure')).toContainText(
    '%',
  );
  await page.goto('/servers/manage');
  await expect(page.getByRole('link', { name: /^Agate/ })).toBeVisible();
  await expect(main).not.toContainText(domain);

  await page.goto(`/servers/manage/${id}/backups`);
  await page.getByRole('button', { name: 'Create backup' }).click();
  await expect(page.getByRole('dialog')).toContainText('Back up the running server?');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(state(page)).toHaveText('Stopped', { timeout: 60_000 });

  await page.goto(inLanguage(`/servers/manage/${id}/options/preferences`, 'ar-SA'));
  await fitsPhone(page);
  await picture(page, 'preferences-ar');
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
/** The overview has the console on top, and performance its charts, once there are figures. */
const most_script: Record<string, number> = { '': 118_000, '/performance': 130_000 };
/** Bounds of pages below that of all, in bytes. */
const most_style: Record<string, number> = { '': 14_600, '/backups': 14_300, '/content': 14_800 };

test('every page of a server is light', async ({ page, browser }) => {
  await open(page, '/options/loader');
  await expect(page.locator('.ldr form')).toBeVisible();
  await picture(page, 'loader');
  const stored = await page.context().storageState();
  for (const path of paths) {
    const fresh = await browser.newContext({ storageState: stored });
    const weight = await weigh(await fresh.newPage(), `/servers/manage/${id}${path}`);
    await fresh.close();
    // 57 kB of React, 13 kB of Socket.IO, 15 kB of every page, 30 kB of its own
    expect
      .soft(weight.script_bytes, `${path} ${JSON.stringify(weight)}`)
      .toBeLessThanOrEqual(most_script[path] ?? 115_000);
    expect
      .soft(weight.style_bytes, `${path} ${weight.style_bytes}`)
      .toBeLessThanOrEqual(most_style[path] ?? 15_000);
    if (process.env.SHOTS) console.log(path, JSON.stringify(weight));
  }
  for (const path of ['properties', 'startup']) {
    await page.goto(`/servers/manage/${id}/options/${path}`);
    await expect(page.locator('.props, .startup')).toBeVisible();
    await picture(page, path);
    await page.goto(inLanguage(`/servers/manage/${id}/options/${path}`, 'ar-SA'));
    await expect(page.locator('.props, .startup')).toBeVisible();
    await picture(page, `${path}-ar`);
  }
  await page.goto(inLanguage(`/servers/manage/${id}/options/loader`, 'ar-SA'));
  await expect(page.locator('.ldr form')).toBeVisible();
  await picture(page, 'loader-ar');
});
