import { expect, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';

/** The loader of a real running server is changed with a backup before, its console says so, and it is taken back. */
const who = `smith${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Forge', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

test('another loader with a backup before, and back', async ({ page }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  const loaderPage = `/servers/manage/${id}/options/loader`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(loaderPage)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const state = page.getByRole('main').locator('.badge').first();
  await expect(state).toHaveText('Stopped', { timeout: 300_000 });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state).toHaveText('Running', { timeout: 120_000 });

  const change = page.getByRole('button', { name: 'Change', exact: true });
  await expect(change).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Choose something else than what the server is now.')).toBeVisible();
  await page.getByLabel('Loader', { exact: true }).selectOption('fabric');
  await expect(page.getByLabel('Make a backup first')).toBeChecked();
  await expect(page.getByText('The server stops. Players are disconnected.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await change.click();
  await expect(page.getByRole('heading', { name: 'The server is being changed' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Take back' })).toBeVisible({ timeout: 120_000 });
  await expect(state).toHaveText('Running', { timeout: 120_000 });
  await expect(page.locator('.facts').first()).toContainText('Fabric');
  await page.goto(`/servers/manage/${id}`);
  await expect(page.getByText('Loader: fabric').last()).toBeVisible();
  await page.goto(`/servers/manage/${id}/backups`);
  await expect(page.getByRole('list', { name: 'Backups' }).getByRole('listitem')).toHaveCount(1);

  await page.goto(loaderPage);
  await page.getByRole('button', { name: 'Take back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByText('A change was taken back')).toBeVisible({ timeout: 120_000 });
  await expect(page.locator('.facts').first()).toContainText('Vanilla');
  await page.goto(`/servers/manage/${id}`);
  await expect(page.getByText('Loader: vanilla').last()).toBeVisible();

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(state).toHaveText('Stopped', { timeout: 60_000 });
});
