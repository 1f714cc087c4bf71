import { writeFileSync } from 'node:fs';
import { expect, type Page, test } from 'playwright/test';
import { type Account, newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { row } from './files-page.ts';

/** A real server crashes for lack of memory: what is wrong with it, what helps, and its log for others. */
let owner: Account;
let id = '';
const server = (...words: string[]) => cairn('server', '--token', owner.token, ...words);

test.beforeAll(async () => {
  owner = await newAccount('jade');
  const wish = ['--plan', 'custom', '--ram', '2', '--name', 'Jade', '--kind', 'local'];
  id = await server('create', ...wish, '--region', 'north-america');
});
// others need its place on the node
test.afterAll(async () => void (id && (await server('delete', id))));

const state = (page: Page) => page.getByRole('main').locator('.badge').first();

test('a crash says what to do, and its log is shared without secrets', async ({ page, browser }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  const log = test.info().outputPath('latest.log');
  writeFileSync(log, 'Mirelle[/203.0.113.5:5000] logged in\nMixin apply for mod lanterns failed x\n');
  await signInAs(page, owner.username);
  await page.goto(`/servers/manage/${id}`);
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
  const memory = page.getByRole('listitem').filter({ hasText: 'Give the game more memory in Startup' });
  await expect(memory.getByRole('link')).toHaveAttribute('href', /\/options\/startup$/);
  const cause = page
    .getByRole('listitem')
    .filter({ hasText: 'A mod can’t change the game the way it needs to' });
  await expect(cause).toContainText('lanterns');
  await expect(cause.getByRole('link')).toHaveAttribute('href', /\/content\?find=lanterns$/);
  expect(await axeFinds(page)).toEqual([]);

  await page.goto(`/servers/manage/${id}/files?path=logs`);
  await row(page, 'latest.log').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Find problems in this log' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('A mod can’t change the game the way it needs to');
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
  expect(await stranger.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axeFinds(stranger)).toEqual([]);
  const raw = await stranger.request.get(`${address}/raw`);
  expect(raw.headers()['content-type']).toContain('text/plain');
  expect(await raw.text()).not.toContain('203.0.113.5');
  await dialog.getByRole('button', { name: /^Remove the shared log/ }).click();
  await expect(dialog.getByText('Shared logs of this server')).toBeHidden();
  expect((await stranger.goto(address))!.status()).toBe(404);
  expect((await stranger.request.get(`${address}/raw`)).status()).toBe(404);
  await stranger.context().close();
});
