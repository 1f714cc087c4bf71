import { expect, type Page, test } from 'playwright/test';
import { ping } from '../agents/server/status-ping.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { inLanguage } from './pages.ts';

/** Properties and start-up of a real server: what is saved is in its file, its console, and what players see. */
const who = `opal${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Opal', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

async function open(page: Page, path: string): Promise<void> {
  const to = `/servers/manage/${id}/options/${path}`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const state = (page: Page) => page.getByRole('main').locator('.badge').first();

test('properties reach the file, and players after a restart', async ({ page }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  await open(page, 'properties');
  await expect(state(page)).toHaveText('Stopped', { timeout: 300_000 });
  // before its first start there is no file
  await expect(page.getByText('There is no file yet')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running', { timeout: 120_000 });
  await page.reload();

  await page.getByLabel('max-players', { exact: true }).fill('-3');
  await expect(page.getByText('Enter a number between 0 and 1,000.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByLabel('max-players', { exact: true }).fill('7');
  await page.getByLabel('motd', { exact: true }).fill('Opal is open');
  await page.getByLabel('difficulty', { exact: true }).selectOption('hard');
  await expect(page.getByText('3 unsaved changes')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: difficulty' }).click();
  await expect(page.getByText('2 unsaved changes')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save and restart' }).click();
  await expect(page.getByText('2 unsaved changes')).toBeHidden();
  const view = JSON.parse(await cairn('server', '--token', token, 'show', id, '--json'));
  await expect
    .poll(async () => await ping(view.address.host, view.address.port), { timeout: 60_000 })
    .toMatchObject({ most: 7 });
  expect(await cairn('server', '--token', token, 'properties', 'get', id, 'motd')).toBe('Opal is open');

  // somebody else changes the file meanwhile: what was typed stays
  await page.getByLabel('max-players', { exact: true }).fill('9');
  await cairn('server', '--token', token, 'properties', 'set', id, 'pvp=false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The file was changed meanwhile')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('pvp', { exact: true })).toHaveValue('false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('unsaved change')).toBeHidden();
  expect(await cairn('server', '--token', token, 'properties', 'get', id, 'max-players')).toBe('9');

  await page.getByLabel('Search properties').fill('rcon');
  await expect(page.getByRole('listitem').filter({ hasText: 'enable-rcon' })).toBeVisible();
  await expect(page.getByLabel('motd', { exact: true })).toBeHidden();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(inLanguage(`/servers/manage/${id}/options/properties`, 'ar-SA'));
  await expect(page.getByLabel('motd', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await axeFinds(page)).toEqual([]);
});

test('start-up: memory and flags within what is allowed, and the defaults again', async ({ page }) => {
  test.setTimeout(300_000);
  await open(page, 'startup');
  const flags = page.getByLabel('Flags for Java');
  await flags.fill('-javaagent:evil.jar');
  await expect(page.getByText(/-javaagent:evil\.jar.? isn’t allowed/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await flags.fill('-XX:+UseZGC');
  await page.getByLabel('Memory of the game (MB)').fill('99999999');
  await expect(page.getByText(/Enter a number between/)).toBeVisible();
  await page.getByLabel('Memory of the game (MB)').fill('600');
  await expect(page.locator('.command')).toContainText('-Xmx600M -XX:+UseZGC');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: false }).first()).toBeVisible();
  const shown = JSON.parse(await cairn('server', '--token', token, 'startup', 'show', id, '--json'));
  expect(shown).toMatchObject({ heap_mb: 600, jvm_flags: ['-XX:+UseZGC'], java: null });
  await page.getByRole('button', { name: 'Restore the defaults' }).click();
  await expect(page.getByLabel('Memory of the game (MB)')).toHaveValue('');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('sleep: minutes and text within what is allowed, as the command line shows them', async ({ page }) => {
  test.setTimeout(300_000);
  await open(page, 'sleep');
  await page.getByLabel('Sleep while nobody plays').check();
  await page.getByLabel('Minutes without a player').fill('3');
  await expect(page.getByText('Enter a whole number between 5 and 240.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByLabel('Minutes without a player').fill('20');
  await page.getByLabel('Text in the server list').fill('a\nb\nc');
  await expect(page.getByText(/At most 2 lines/)).toBeVisible();
  await page.getByLabel('Text in the server list').fill('Opal sleeps\nJoin to wake it');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  const shown = JSON.parse(await cairn('server', '--token', token, 'sleep', 'show', id, '--json'));
  expect(shown).toMatchObject({ after_minutes: 20, motd: 'Opal sleeps\nJoin to wake it', supported: true });
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(inLanguage(`/servers/manage/${id}/options/sleep`, 'ar-SA'));
  await expect(page.getByRole('checkbox')).toBeChecked();
});
