import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { inLanguage } from './pages.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** What a server uses, live and before, and its alerts: chosen, tested, and in its history. */
const who = `agate${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';
let node: ScriptedNode;
const node_name = `figures-${Date.now().toString(36)}`;

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  // capacity for one server only, so that orders of other tests are scheduled elsewhere
  const room = ['--ram', '4096', '--ports', '24811-24811', '--bind', '127.0.0.1'];
  const where = ['--region', 'southeast-asia', '--address', 'play.example.org'];
  const command = await cairn('node', 'add', node_name, ...where, ...room);
  node = await scriptedNode(/--join (\S+)/.exec(command)![1]!);
  const wish = ['--plan', 'small', '--name', 'Agate', '--kind', 'local', '--region', 'southeast-asia'];
  id = await cairn('server', '--token', token, 'create', ...wish);
  await expect.poll(() => node.specs.has(id), { timeout: 30_000 }).toBe(true);
  await node.power(id, 'starting');
  await node.power(id, 'running');
});
test.afterAll(async () => {
  if (id) await cairn('server', '--token', token, 'delete', id);
  node?.close();
  await cairn('node', 'drain', node_name);
});

async function open(page: Page, path: string): Promise<void> {
  const to = `/servers/manage/${id}/${path}`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const isWithin = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

test('charts of what a server uses, and the same as a table', async ({ page }) => {
  await open(page, 'performance');
  await expect(page.getByRole('heading', { name: 'No figures yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Live' }).click();
  node.stats(id, 0.25);
  await expect(page.getByRole('heading', { name: 'CPU' })).toBeVisible();
  node.stats(id, 0.5);
  await expect(page.locator('.plot canvas').first()).toBeVisible();
  await expect(page.getByText('This server doesn’t tell how long its ticks take.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect(page.getByRole('columnheader', { name: 'Memory' })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await isWithin(page);
  await page.goto(inLanguage(`/servers/manage/${id}/performance`, 'ar-SA'));
  await expect(page.getByRole('button', { name: 'مباشر' })).toBeVisible();
  await isWithin(page);
});

test('alerts are chosen, tested and listed', async ({ page }) => {
  await open(page, 'options/alerts');
  const bound = page.getByLabel('CPU over: bound');
  await expect(bound).toHaveValue('95');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await bound.fill('400');
  await expect(page.getByText('Enter a whole number between 10 and 100.')).toBeVisible();
  await expect(save).toBeDisabled();
  await bound.fill('80');
  await page.getByLabel('Hold mails back').check();
  await page.getByLabel('Time zone').fill('Middle/Earth');
  await expect(page.getByText('This time zone isn’t known.')).toBeVisible();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await save.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const shown = JSON.parse(await cairn('server', '--token', token, 'alerts', 'show', id, '--json'));
  expect(shown).toMatchObject({
    rules: { cpu: { over: 80, minutes: 15 } },
    quiet: { from: 1_320, until: 420, zone: 'Europe/Berlin' },
  });
  await page.getByLabel('Name', { exact: true }).fill('Pager');
  await page.getByLabel('Address', { exact: true }).fill('https://hooks.example.org/x');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText(/whsec_/)).toBeVisible();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('A test is on its way to every channel.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await isWithin(page);
  await page.goto('/dashboard/notifications');
  await expect(page.getByText('a test of its alerts')).toBeVisible();
  await page.goto(inLanguage(`/servers/manage/${id}/options/alerts`, 'ar-SA'));
  await expect(page.getByRole('button', { name: 'إرسال تجربة' })).toBeVisible();
  await isWithin(page);
});
