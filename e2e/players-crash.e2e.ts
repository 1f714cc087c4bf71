import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from 'playwright/test';
import { joinGame } from '../agents/testing/minecraft-bot.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { row } from './files-page.ts';
import { inLanguage } from './pages.ts';

/** Players of a real server, and what is wrong with it when it crashes: what is chosen counts for a real player. */
const who = `jade${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';
const server = (...words: string[]) => cairn('server', '--token', token, ...words);

test.describe.configure({ mode: 'serial', timeout: 600_000 }); // the first server on a machine waits for its image
test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = [
    '--plan',
    'custom',
    '--ram',
    '2',
    '--name',
    'Jade',
    '--kind',
    'local',
    '--region',
    'north-america',
  ];
  id = await server('create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await server('delete', id))));

async function open(page: Page, path: string): Promise<void> {
  const to = `/servers/manage/${id}${path}`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const state = (page: Page) => page.getByRole('main').locator('.badge').first();
const list = (page: Page, name: string) => page.getByRole('region', { name });
const look = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test('players: a real one is seen, kicked, banned and admitted again', async ({ page }) => {
  await open(page, '/players');
  await expect(state(page)).toHaveText('Stopped', { timeout: 300_000 });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running', { timeout: 120_000 });
  await expect(page.getByText('changes are commands on its console')).toBeVisible();
  const { address } = JSON.parse(await server('show', id, '--json'));
  const bot = await joinGame(address, 'Mirelle');
  const online = list(page, 'Online now');
  await expect(online.getByText('Mirelle', { exact: true })).toBeVisible();
  await online.getByRole('button', { name: 'Kick Mirelle' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('too many lanterns');
  await page.getByRole('dialog').getByRole('button', { name: 'Kick', exact: true }).click();
  await expect.poll(() => bot.endReason()).toMatch(/too many lanterns/);
  await bot.leave();
  await expect(online.getByText('Nobody is online.')).toBeVisible();

  const bans = list(page, 'Banned players');
  await bans.getByLabel('Player name').fill('Mirelle; stop');
  await expect(bans.getByText('3 to 16 letters')).toBeVisible();
  await bans.getByLabel('Player name').fill('Mirelle');
  await bans.getByLabel('Reason').fill('griefing the mill');
  await bans.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(bans.getByRole('listitem').filter({ hasText: 'griefing the mill' })).toBeVisible();
  await expect(joinGame(address, 'Mirelle')).rejects.toThrow(/griefing the mill/);
  const operators = list(page, 'Operators');
  await operators.getByLabel('Level').selectOption('2');
  await operators.getByLabel('Player name').fill('Odo');
  await operators.getByRole('button', { name: 'Add' }).click();
  await expect(operators.getByText('gives every new operator level 4')).toBeVisible();
  await page.getByLabel('Only players on this list').check();
  await expect(page.getByLabel('Only players on this list')).toBeChecked();
  expect(await axeFinds(page)).toEqual([]);

  // off, the same view writes the files
  await server('power', id, 'stop');
  await expect(state(page)).toHaveText('Stopped');
  await expect(page.getByText('changes are written to its files')).toBeVisible();
  await operators.getByRole('button', { name: 'Add' }).click();
  await expect(operators.getByRole('listitem')).toContainText('Level 2');
  await page.getByRole('searchbox').fill('mill');
  await expect(operators.getByText('matches your search')).toBeVisible();
  await bans.getByRole('button', { name: 'End the ban of Mirelle' }).click();
  await expect(bans.getByText('Nobody is banned.')).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await list(page, 'Whitelist').getByLabel('Player name').fill('Mirelle');
  await list(page, 'Whitelist').getByRole('button', { name: 'Add' }).click();
  await expect(list(page, 'Whitelist').getByRole('listitem')).toContainText('Mirelle');
  expect(JSON.parse(await server('players', 'list', id, '--json'))).toMatchObject({
    ...{ whitelist_on: true, operators: { entries: [{ who: 'Odo', level: 2 }] }, bans: { total: 0 } },
  });
  for (const [tag, width, scheme] of [
    ['en-US', 1280, 'light'],
    ['en-US', 390, 'dark'],
    ['ar-SA', 390, 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(inLanguage(`/servers/manage/${id}/players`, tag));
    await expect(page.getByRole('listitem').filter({ hasText: 'Odo' })).toBeVisible();
    expect(await look(page)).toBeLessThanOrEqual(width);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/players-${tag}-${width}.png`, fullPage: true });
  }
  await page.goto(`/servers/manage/${id}/players`);
  await server('power', id, 'start');
  await expect(state(page)).toHaveText('Running', { timeout: 60_000 });
  await (await joinGame(address, 'Mirelle')).leave();
  await expect(joinGame(address, 'Stranger')).rejects.toThrow(/not white-listed/);
});

test('a crash says what to do, and its log is shared without secrets', async ({ page, browser }) => {
  const log = join(tmpdir(), 'latest.log');
  writeFileSync(log, 'Mirelle[/203.0.113.5:5000] logged in\nMixin apply for mod lanterns failed x\n');
  await open(page, '');
  await expect(state(page)).toHaveText(/Stopped|Running/, { timeout: 300_000 });
  await server('power', id, 'start');
  await expect(state(page)).toHaveText('Running', { timeout: 120_000 });
  await server('files', 'mkdir', id, 'logs');
  await server('files', 'put', id, log, '--to', 'logs');
  // the second time without memory it stays down
  for (const time of [1, 2]) {
    await server('command', id, 'oom');
    await expect(state(page)).toHaveText('Crashed', { timeout: 60_000 });
    if (time === 1) await expect(state(page)).toHaveText('Running', { timeout: 120_000 });
  }
  const memory = page.getByRole('listitem').filter({ hasText: 'Give the game more memory in Start-up' });
  await expect(memory.getByRole('link')).toHaveAttribute('href', /\/options\/startup$/);
  const cause = page.getByRole('listitem').filter({ hasText: 'A mod can’t change the game as it wants to' });
  await expect(cause).toContainText('lanterns');
  await expect(cause.getByRole('link')).toHaveAttribute('href', /\/content\?find=lanterns$/);
  expect(await axeFinds(page)).toEqual([]);
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/crash-1280.png`, fullPage: true });

  await page.goto(`/servers/manage/${id}/files?path=logs`);
  await row(page, 'latest.log').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'What is wrong?' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('A mod can’t change the game as it wants to');
  await dialog.getByLabel('Remove it after').selectOption('1h');
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  const link = dialog.getByRole('link', { name: /\/logs\/\w{24}$/ });
  const address = (await link.getAttribute('href'))!;
  expect(await axeFinds(page)).toEqual([]);

  const stranger = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  const answer = await stranger.goto(`${address}#L2`);
  expect(answer!.headers()).toMatchObject({ 'cache-control': 'private, no-store' });
  expect(answer!.headers()['x-robots-tag']).toContain('noindex');
  await expect(stranger.locator('#L1')).toContainText('Mirelle[/<address-1>:5000] logged in');
  await expect(stranger.locator('#L2:target')).toContainText('lanterns');
  expect(await look(stranger)).toBeLessThanOrEqual(390);
  expect(await axeFinds(stranger)).toEqual([]);
  if (process.env.PICTURES)
    await stranger.screenshot({ path: `${process.env.PICTURES}/log-390.png`, fullPage: true });
  const raw = await stranger.request.get(`${address}/raw`);
  expect(raw.headers()['content-type']).toContain('text/plain');
  expect(await raw.text()).not.toContain('203.0.113.5');
  await dialog.getByRole('button', { name: /^Remove the shared log/ }).click();
  await expect(dialog.getByText('Shared logs of this server')).toBeHidden();
  expect((await stranger.goto(address))!.status()).toBe(404);
  expect((await stranger.request.get(`${address}/raw`)).status()).toBe(404);
  await stranger.context().close();
});
