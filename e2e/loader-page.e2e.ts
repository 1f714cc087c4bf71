import { expect, type Page, test } from 'playwright/test';
import type { ChangeView } from '../db/hosting/servers/content/view.ts';
import type { AnsweredPanel, Answers } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** The page of a server's loader: every state, what is asked of the control plane, and what its refusals look like. */
let server: RentedServer<FolderNode>;
let address: string;

test.beforeAll(async () => {
  server = await rentedServer(folderNode);
  address = `${server.address}/options/loader`;
});
test.afterAll(() => server?.close());

const changed = (more: Partial<ChangeView> = {}): ChangeView => ({
  ...{ id: 'c0ffee00-0000-4000-8000-000000000000', kind: 'loader', step: 'done', progress: null, count: 1 },
  ...{
    items: [{ title: 'loader', from: null, to: 'fabric' }],
    by: 'mirelle',
    created: new Date().toISOString(),
  },
  ...{ ended: new Date().toISOString(), error: null, undoable: true, start_failed: false, ...more },
});
const known = (change: ChangeView | null = null, more: object = {}) => ({
  ...{ ok: true, game_version: '1.21.4', loader: null, loader_version: null, change },
  offers: [
    { game_version: '1.21.4', loaders: ['vanilla', 'paper', 'fabric'] },
    { game_version: '1.20.2', loaders: ['vanilla', 'fabric'] },
  ],
  loader_versions: { fabric: [{ version: '0.16.14', game_versions: ['1.21.4'] }] },
  ...more,
});

async function open(page: Page, answers: Answers, path = address): Promise<AnsweredPanel> {
  const panel = await server.openAnswered(page, { 'loader.show': () => known(), ...answers }, path);
  await expect(page.locator('.ldr')).toBeAttached();
  return panel;
}
const button = (page: Page) => page.getByRole('button', { name: 'Change', exact: true });

test('chooses what fits, says what will happen, and shows a refusal in place', async ({ page }) => {
  let answer: object = {
    ...{
      ok: false,
      error: 'server_busy',
      status: 409,
      description: 'The server is busy with something else.',
    },
  };
  const panel = await open(page, { 'loader.change': () => answer });
  await page.getByLabel('Game version', { exact: true }).selectOption('1.20.2');
  await expect(page.getByLabel('Loader', { exact: true }).getByRole('option')).toHaveText([
    'Vanilla',
    'Fabric',
  ]);
  await page.getByLabel('Loader', { exact: true }).selectOption('fabric');
  await page.getByLabel('Loader version', { exact: true }).selectOption('0.16.14');
  await page.getByLabel('Remove all server files').check();
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
  await button(page).press('Enter');
  expect(panel.asked.filter(({ name }) => name === 'loader.change')).toEqual([]);
  await page.getByLabel('Yes, remove the worlds too').check();
  await expect(page.getByRole('listitem').filter({ hasText: 'All files go to the trash.' })).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await button(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The change failed' })).toContainText('busy');

  answer = { ok: true, change: changed({ step: 'safety', ended: null, undoable: false }) };
  await button(page).click();
  await expect(page.getByRole('heading', { name: 'The server is being changed' })).toBeVisible();
  const messages = panel.asked.filter(({ name }) => name === 'loader.change').map(({ message }) => message);
  expect(messages[0]).toMatchObject({
    ...{ game_version: '1.20.2', loader: 'fabric', loader_version: '0.16.14' },
    ...{ erase: true, backup: true, stop: false },
  });
  // the same choice is the same change, however often it is sent
  expect(messages[1]?.op_id).toBe(messages[0]?.op_id);

  const progress = { done: 1, total: 4 };
  panel.tell('changes', {
    server_id: server.id,
    changes: [changed({ step: 'safety', ended: null, progress })],
  });
  await expect(page.locator('[aria-current="step"]')).toContainText('25%');
  await expect(page.getByRole('button', { name: 'Cancel the change' })).toBeVisible();
  panel.tell('changes', { server_id: server.id, changes: [changed({ step: 'applying', ended: null })] });
  await expect(page.getByRole('button', { name: 'Cancel the change' })).toBeHidden();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
});

test('says why a change was not made, and offers to take back what crashed', async ({ page }) => {
  const error = { code: 'disk_full', retryable: true };
  let change = changed({ step: 'failed', error, undoable: false });
  const panel = await open(page, {
    'loader.show': () => known(change),
    'content.undo': () => ({ ok: true, change: changed({ kind: 'undo', step: 'stopping', ended: null }) }),
  });
  await expect(page.getByRole('note').filter({ hasText: 'The change failed' })).toContainText(
    'The server is as it was before.',
  );
  change = changed({ start_failed: true });
  panel.tell('changes', { server_id: server.id, changes: [change] });
  const note = page.getByRole('note').filter({ hasText: 'The server crashed on its first start' });
  await expect(note).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await note.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'The server is being changed' })).toBeVisible();
  expect(panel.asked.find(({ name }) => name === 'content.undo')?.message).toMatchObject({
    change_id: change.id,
  });
});

test('without an answer, with a refusal, with nothing to choose', async ({ page }) => {
  let answer: object | null = { ok: false, error: 'busy', status: 503, description: 'Too many requests.' };
  const panel = await open(page, { 'loader.show': () => answer });
  await expect(page.getByRole('note').filter({ hasText: 'Failed to load these options' })).toContainText(
    'Too many',
  );
  answer = known(null, { offers: [] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('This server type can’t be changed')).toBeVisible();
  answer = known();
  await page.reload();
  await expect(button(page)).toBeVisible();
  await panel.cut();
  await page.getByLabel('Loader', { exact: true }).selectOption('paper');
  await expect(page.locator('.ldr form')).toContainText('Not connected.');
  panel.restore();
  await expect(button(page)).toHaveAttribute('aria-disabled', 'false', { timeout: 30_000 });
});

test('right to left on a phone, and long words', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, { 'loader.show': () => known(changed()) }, inLanguage(address, 'ar-SA'));
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('.ldr form')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await page.goto(inLanguage(address, 'en-XA'));
  await expect(page.locator('.ldr form')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('another loader with a backup before, and back, while the server runs', async ({ page }) => {
  const { id, node } = server;
  await server.open(page, address);
  const state = page.getByRole('main').locator('.badge').first();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state).toHaveText('Running');
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByText('Choose something other than the current setup.')).toBeVisible();
  await page.getByLabel('Loader', { exact: true }).selectOption('fabric');
  await expect(page.getByLabel('Create a backup first')).toBeChecked();
  await expect(page.getByText('The server stops. Players are disconnected.')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 800 });
  await button(page).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await expect(state).toHaveText('Running');
  await expect(page.locator('.facts').first()).toContainText('Fabric');
  expect(node.started(id)).toBe(2);
  await page.goto(server.address);
  await expect(page.getByText('Loader: fabric').last()).toBeVisible();
  await page.goto(`${server.address}/backups`);
  await expect(page.getByRole('list', { name: 'Backups' }).getByRole('listitem')).toHaveCount(1);

  await page.goto(address);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('A change was undone')).toBeVisible();
  await expect(page.locator('.facts').first()).toContainText('Vanilla');
  await page.goto(server.address);
  await expect(page.getByText('Loader: vanilla').last()).toBeVisible();
});
