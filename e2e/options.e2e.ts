import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** Properties and start-up of a server: what is saved is in its file and in what its node is asked for. */
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Opal' });
});
test.afterAll(() => server?.close());

const open = (page: Page, path: string) => server.open(page, `${server.address}/options/${path}`);
const state = (page: Page) => page.getByRole('main').locator('.badge').first();

test('properties reach the file, and the server is restarted with them', async ({ page }) => {
  const { id, command } = server;
  await open(page, 'properties');
  await expect(state(page)).toHaveText('Stopped');
  // before its first start there is no file
  await expect(page.getByText('No file yet')).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running');
  await page.reload();

  await page.getByLabel('Player limit', { exact: true }).fill('-3');
  await expect(page.getByText('Enter a number between 0 and 1,000.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.getByLabel('Player limit', { exact: true }).fill('7');
  await page.getByLabel('Message in the server list (MOTD)', { exact: true }).fill('Opal is open');
  await page.getByLabel('Difficulty', { exact: true }).selectOption('hard');
  await expect(page.getByText('3 unsaved changes')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: Difficulty' }).click();
  await expect(page.getByText('2 unsaved changes')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save and restart' }).click();
  await expect(page.getByText('2 unsaved changes')).toBeHidden();
  await expect.poll(() => server.node.started(id)).toBe(2);
  expect(server.node.folders.read(id, 'server.properties')).toContain('max-players=7');
  expect(await command('properties', 'get', id, 'motd')).toBe('Opal is open');

  // somebody else changes the file meanwhile: what was typed stays
  await page.getByLabel('Player limit', { exact: true }).fill('9');
  await command('properties', 'set', id, 'pvp=false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('The file changed while you were editing')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Player versus player (PvP)', { exact: true })).toHaveValue('false');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('unsaved change')).toBeHidden();
  expect(await command('properties', 'get', id, 'max-players')).toBe('9');

  await page.getByLabel('Search properties').fill('rcon');
  await expect(page.getByRole('listitem').filter({ hasText: 'enable-rcon' })).toBeVisible();
  await expect(page.getByLabel('Message in the server list (MOTD)', { exact: true })).toBeHidden();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(inLanguage(`${server.address}/options/properties`, 'ar-SA'));
  await expect(page.getByLabel('Message in the server list (MOTD)', { exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('start-up: memory and flags within what is allowed, and the defaults again', async ({ page }) => {
  const { id, command } = server;
  await open(page, 'startup');
  const flags = page.getByLabel('Java flags');
  await flags.fill('-javaagent:evil.jar');
  await expect(page.getByText(/-javaagent:evil\.jar.? isn’t allowed/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await flags.fill('-XX:+UseZGC');
  await page.getByLabel('Game memory (MB)').fill('99999999');
  await expect(page.getByText(/Enter a number between/)).toBeVisible();
  await page.getByLabel('Game memory (MB)').fill('600');
  await expect(page.locator('.command')).toContainText('-Xmx600M -XX:+UseZGC');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: false }).first()).toBeVisible();
  const shown = JSON.parse(await command('startup', 'show', id, '--json'));
  expect(shown).toMatchObject({ heap_mb: 600, jvm_flags: ['-XX:+UseZGC'], java: null });
  await expect
    .poll(() => server.node.specs.get(id))
    .toMatchObject({ heap_mb: 600, jvm_flags: ['-XX:+UseZGC'] });
  await page.getByRole('button', { name: 'Restore defaults' }).click();
  await expect(page.getByLabel('Game memory (MB)')).toHaveValue('');
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('sleep: minutes and text within what is allowed, as the command line shows them', async ({ page }) => {
  const { id, command } = server;
  await open(page, 'sleep');
  await page.getByLabel('Sleep while nobody is playing').check();
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
  const shown = JSON.parse(await command('sleep', 'show', id, '--json'));
  expect(shown).toMatchObject({ after_minutes: 20, motd: 'Opal sleeps\nJoin to wake it', supported: true });
  await expect.poll(() => server.node.specs.get(id)?.sleep?.after_minutes).toBe(20);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goto(inLanguage(`${server.address}/options/sleep`, 'ar-SA'));
  await expect(page.getByRole('checkbox')).toBeChecked();
});
