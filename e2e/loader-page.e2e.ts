import { expect, type Page, test } from 'playwright/test';
import type { ChangeView } from '../db/servers/content/view.ts';
import { type AnsweredPanel, answerRequests } from './answered-requests.ts';
import { axeFinds, axeInEveryTheme } from './axe.ts';
import { cairn } from './cairn.ts';
import { inLanguage } from './pages.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** The page of a server's loader: every state, what is asked of the control plane, and what its refusals look like. */
const tag = Date.now().toString(36);
const renter = `loader${tag}`;
const word = 'nine-warm-stones';
let node: ScriptedNode;
let id: string;
let address: string;

test.describe.configure({ mode: 'default', timeout: 240_000 });

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', renter, '--email', `${renter}@example.org`, '--password', word);
  const room = ['--ram', '4096', '--ports', '24811-24811', '--bind', '127.0.0.1'];
  const where = ['--region', 'western-europe', '--address', 'play.example.org'];
  const command = await cairn('node', 'add', `loader-${tag}`, ...where, ...room);
  node = await scriptedNode(/--join (\S+)/.exec(command)![1]!);
  const token = await cairn('token', 'create', '--user', renter, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Valley', '--kind', 'local', '--region', 'western-europe'];
  id = await cairn('server', '--token', token, 'create', ...wish);
  address = `/servers/manage/${id}/options/loader`;
  await expect.poll(() => node.specs.has(id)).toBe(true);
  await node.installed(id);
});
test.afterAll(async () => {
  node?.close();
  await cairn('node', 'drain', `loader-${tag}`);
});

const changed = (more: Partial<ChangeView> = {}): ChangeView => ({
  ...{ id: 'c0ffee00-0000-4000-8000-000000000000', kind: 'loader', step: 'done', progress: null, count: 1 },
  ...{
    items: [{ title: 'loader', from: null, to: 'fabric' }],
    by: renter,
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

async function open(
  page: Page,
  answers: Parameters<typeof answerRequests>[1],
  path = address,
): Promise<AnsweredPanel> {
  const panel = await answerRequests(page, { 'loader.show': () => known(), ...answers });
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(path)}`);
  await page.getByLabel('Email or username').fill(renter);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
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
  await page.getByLabel('Remove all files of the server').check();
  await expect(button(page)).toHaveAttribute('aria-disabled', 'true');
  await button(page).press('Enter');
  expect(panel.asked.filter(({ name }) => name === 'loader.change')).toEqual([]);
  await page.getByLabel('Yes, remove the worlds too').check();
  await expect(page.getByRole('listitem').filter({ hasText: 'All files go to the trash.' })).toBeVisible();
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await button(page).click();
  await expect(page.getByRole('alert').filter({ hasText: 'The change wasn’t made' })).toContainText('busy');

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
  panel.tell('changes', { server_id: id, changes: [changed({ step: 'safety', ended: null, progress })] });
  await expect(page.locator('[aria-current="step"]')).toContainText('25%');
  await expect(page.getByRole('button', { name: 'Cancel the change' })).toBeVisible();
  panel.tell('changes', { server_id: id, changes: [changed({ step: 'applying', ended: null })] });
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
  await expect(page.getByRole('note').filter({ hasText: 'The change wasn’t made' })).toContainText(
    'The server is as it was before.',
  );
  change = changed({ start_failed: true });
  panel.tell('changes', { server_id: id, changes: [change] });
  const note = page.getByRole('note').filter({ hasText: 'The server crashed at its first start' });
  await expect(note).toBeVisible();
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await note.getByRole('button', { name: 'Take back' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
  await expect(page.getByRole('heading', { name: 'The server is being changed' })).toBeVisible();
  expect(panel.asked.find(({ name }) => name === 'content.undo')?.message).toMatchObject({
    change_id: change.id,
  });
});

test('without an answer, with a refusal, with nothing to choose', async ({ page }) => {
  let answer: object | null = { ok: false, error: 'busy', status: 503, description: 'Too many requests.' };
  const panel = await open(page, { 'loader.show': () => answer });
  await expect(page.getByRole('note').filter({ hasText: 'These options couldn’t be loaded' })).toContainText(
    'Too many',
  );
  answer = known(null, { offers: [] });
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing can be chosen for this kind of server')).toBeVisible();
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
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.goto(inLanguage(address, 'en-XA'));
  await expect(page.locator('.ldr form')).toBeVisible();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
