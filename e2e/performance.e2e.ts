import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** What a server uses, live and before, and its alerts: chosen, tested, and in its history. */
let server: RentedServer<ScriptedNode>;

test.beforeAll(async () => {
  server = await rentedServer(scriptedNode, { name: 'Agate' });
  await server.node.power(server.id, 'starting');
  await server.node.power(server.id, 'running');
});
test.afterAll(() => server?.close());

const open = (page: Page, path: string) => server.open(page, `${server.address}/${path}`);
const isWithin = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

test('charts of what a server uses, and the same as a table', async ({ page }) => {
  await open(page, 'performance');
  await expect(page.getByRole('heading', { name: 'No data yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Live' }).click();
  // as agents do, again and again: what is measured before the page listens is not shown
  await expect(async () => {
    server.node.stats(server.id, 0.25);
    await expect(page.locator('.plot canvas').first()).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(page.getByRole('heading', { name: 'CPU' })).toBeVisible();
  await expect(page.getByText('This server doesn’t report its tick time.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Show as a table' }).click();
  await expect(page.getByRole('columnheader', { name: 'Memory' })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await isWithin(page);
  await page.goto(inLanguage(`${server.address}/performance`, 'ar-SA'));
  await expect(page.getByRole('button', { name: 'مباشر' })).toBeVisible();
  await isWithin(page);
});

test('alerts are chosen, tested and listed', async ({ page }) => {
  await open(page, 'options/alerts');
  const bound = page.getByLabel('CPU over: limit');
  await expect(bound).toHaveValue('95');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await bound.fill('400');
  await expect(page.getByText('Enter a whole number between 10 and 100.')).toBeVisible();
  await expect(save).toBeDisabled();
  await bound.fill('80');
  await page.getByLabel('Hold emails').check();
  await page.getByLabel('Time zone').fill('Middle/Earth');
  await expect(page.getByText('Unknown time zone.')).toBeVisible();
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await save.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const shown = JSON.parse(await server.command('alerts', 'show', server.id, '--json'));
  expect(shown).toMatchObject({
    rules: { cpu: { over: 80, minutes: 15 } },
    quiet: { from: 1_320, until: 420, zone: 'Europe/Berlin' },
  });
  await page.getByLabel('Name', { exact: true }).fill('Pager');
  await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.org/x');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText(/whsec_/)).toBeVisible();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByText('A test is on its way to every channel.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  await isWithin(page);
  await page.goto('/dashboard/notifications');
  await expect(page.getByText('this is a test alert')).toBeVisible();
  await page.goto(inLanguage(`${server.address}/options/alerts`, 'ar-SA'));
  await expect(page.getByRole('button', { name: 'إرسال تجربة' })).toBeVisible();
  await isWithin(page);
});
