import { expect, type Page, test } from 'playwright/test';
import type { ChangeView, PackPlan } from '../db/hosting/servers/content/view.ts';
import type { Answers } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { change, item, list, pack, plan, refused, some } from './content-views.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** The page of a server's content: every state, what is asked of the control plane, and what its refusals look like. */
let server: RentedServer<ScriptedNode>;
let id: string;
let address: string;

test.beforeAll(async () => {
  server = await rentedServer(scriptedNode);
  id = server.id;
  address = `${server.address}/content`;
});
test.afterAll(() => server?.close());

const open = (page: Page, answers: Answers, path = address) => server.openAnswered(page, answers, path);
const lines = (page: Page) => page.getByRole('list', { name: 'Content' }).getByRole('listitem');
const line = (page: Page, name: string) =>
  lines(page).filter({ has: page.getByRole('heading', { name, exact: true }) });

test('every state is shown, accessible and fits a phone', async ({ page }) => {
  const changes = [change('update', 'done', { undoable: true }), change('modpack', 'failed', { count: 90 })];
  await open(page, { 'content.list': () => list(some(), { pack, changes }) });
  await expect(lines(page)).toHaveCount(6);
  await expect(line(page, 'Lanternroot')).toContainText(/Update: .1\.1/);
  await expect(line(page, 'Mosslight')).toContainText('Disabled');
  await expect(line(page, 'Stonecutter')).toContainText('From the modpack');
  await expect(line(page, 'Oldroads')).toContainText('For another game version');
  await expect(line(page, 'my-own-things.jar')).toContainText('Unknown file');
  await expect(page.getByRole('switch', { name: 'Enable Mosslight' })).not.toBeChecked();
  await expect(page.getByRole('heading', { name: 'Deepwood' })).toBeVisible();
  await page.getByText('History: 2 changes').click();
  await expect(page.locator('.hist')).toContainText('mirelle');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('long words fit a phone; right to left, in Arabic', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await open(page, { 'content.list': () => list(some(), { pack }) }, inLanguage(address, 'en-XA'));
  await expect(page.locator('.items > li')).toHaveCount(6);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(inLanguage(address, 'ar-SA'));
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(page.locator('.items > li')).toHaveCount(6);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('search, filter and order', async ({ page }) => {
  await open(page, { 'content.list': () => list(some()) });
  await expect(lines(page)).toHaveCount(6);
  await page.getByLabel('Search content').fill('own-things');
  await expect(lines(page)).toHaveCount(1);
  await page.getByLabel('Search content').fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Updates available (2)' });
  await expect(lines(page)).toHaveCount(2);
  await page.getByLabel('Show', { exact: true }).selectOption({ label: 'All (6)' });
  await page.getByLabel('Sort by').selectOption({ label: 'Largest first' });
  await expect(lines(page).last()).toContainText('Terraces');
});

test('switching, and several at once: asked with what the user saw, told when it is over', async ({
  page,
}) => {
  let answer: object = refused('content_changed', 409, 'Somebody changed the files meanwhile.');
  const made = change('toggle', 'applying', { count: 1 });
  let changes: ChangeView[] = [];
  const panel = await open(page, {
    'content.list': () => list(some(), { changes }),
    'content.toggle': ({ op_id }) => {
      made.id = `${op_id}`;
      return answer;
    },
    'content.remove': () => ({ ok: true, change: change('remove', 'applying') }),
  });
  await page.getByRole('switch', { name: 'Enable Mosslight' }).click();
  await expect(page.getByText('Somebody changed the files meanwhile.')).toBeVisible();
  await expect.poll(() => panel.asked.filter(({ name }) => name === 'content.list').length).toBe(2);
  answer = { ok: true, change: made };
  await page.getByRole('switch', { name: 'Enable Mosslight' }).click();
  await expect(page.locator('.news').getByText('On/off change for 1 file')).toBeVisible();
  expect(panel.asked.find(({ name }) => name === 'content.toggle')!.message).toMatchObject({
    ...{ revision: 'r1', paths: ['mods/mosslight-1.0.jar.disabled'], enabled: true },
  });
  // one change at a time: the others wait, and say why
  await expect(page.getByRole('button', { name: 'Remove Lanternroot' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  changes = [{ ...made, step: 'done', undoable: true }];
  panel.tell('changes', { server_id: id, changes });
  await expect(page.locator('.news').getByRole('button', { name: 'Undo' })).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await expect(page.getByText('6 selected').first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove 6 files?' });
  await expect(dialog).toContainText('came with the modpack');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.locator('.news').getByText('Removal of 2 files')).toBeVisible();
});

test('updates show the difference first; a start that fails offers the way back', async ({ page }) => {
  const done = change('update', 'done', { undoable: true });
  let undone: Record<string, unknown> | null = null;
  let changes: ChangeView[] = [];
  const panel = await open(page, {
    'content.list': () => list(some(), { changes }),
    'content.update_plan': () => ({ ok: true, plan }),
    'content.update': ({ op_id }) => ({ ok: true, change: { ...done, id: op_id, step: 'applying' } }),
    'content.undo': (message) => {
      undone = message;
      return { ok: true, change: change('undo', 'applying') };
    },
  });
  await page.getByRole('button', { name: 'Update all 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Update content' });
  await expect(dialog).toContainText('Needs 1 more');
  await expect(dialog).toContainText(/Needed by .Lanternroot/);
  await expect(dialog).toContainText(/Made for .fabric. with .1\.20\.2. or .1\.20\.1.\./);
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(dialog).toBeHidden();
  const { message } = panel.asked.find(({ name }) => name === 'content.update')!;
  expect(message).toMatchObject({
    revision: 'r1',
    updates: [
      { path: 'mods/lanternroot-1.0.jar', version_id: 'v11' },
      { path: null, version_id: 'v04' },
    ],
  });
  const ended = { ...done, id: message.op_id as string };
  changes = [ended];
  panel.tell('changes', { server_id: id, changes });
  await expect(page.getByText('Update of 2 files').first()).toBeVisible();
  changes = [{ ...ended, start_failed: true }];
  panel.tell('changes', { server_id: id, changes });
  await expect(page.locator('.news').getByText('The server didn’t start after this change')).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.locator('.news').getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => undone).toMatchObject({ change_id: ended.id });
});

const packPlan: PackPlan = {
  ...{ project: pack.project, version: pack.update, added: 12, replaced: 3, bytes: 9_000_000 },
  loader: { game_version: '1.21.4', loader: 'fabric', loader_version: '0.16.9' },
  ...{ removed: ['mods/old.jar'], removed_count: 1, lost: ['config/mine.toml'], lost_count: 1 },
  ...{ client_only: 4, foreign: [{ host: 'example.com', count: 2 }], revision: 'r1' },
};

test('a modpack says what is lost, and is compared with the server', async ({ page }) => {
  const panel = await open(page, {
    'content.list': () => list(some(), { pack }),
    'content.pack_plan': () => ({ ok: true, plan: packPlan }),
    'content.pack_install': () => ({ ok: true, change: change('modpack', 'safety', { count: 15 }) }),
    'content.compare': () => ({
      ok: true,
      comparison: {
        pack: pack.version,
        rows: [
          { title: 'Lanternroot', client: '1.1', server: '1.0', state: 'different' },
          { title: 'Shimmer', client: '2.0', server: null, state: 'client_only' },
          { title: 'Stonecutter', client: '1.0', server: '1.0', state: 'same' },
        ],
      },
    }),
  });
  await page.getByRole('button', { name: 'Compare with players' }).click();
  const sides = page.getByRole('dialog', { name: 'Players and server' });
  await expect(sides.getByRole('row')).toHaveCount(3);
  await sides.getByLabel('Show 1 file that is the same').check();
  await expect(sides.getByRole('row')).toHaveCount(4);
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await page.keyboard.press('Escape');
  await page.locator('.pack').getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: /Install a modpack on .Valley/ });
  await expect(dialog).toContainText('1 file you changed is overwritten');
  await expect(dialog).toContainText(/example\.com. \(2\)/);
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(page.locator('.news').getByText('Creating a backup first')).toBeVisible();
  expect(panel.asked.find(({ name }) => name === 'content.pack_install')!.message).toMatchObject({
    ...{ version_id: 'v32', backup: true, stop: false },
  });
});

test('a modpack goes on a server that crashed, also while that comes back', async ({ page }) => {
  const { node } = server;
  await server.start();
  const restart_at = new Date(Date.now() + 50_000).toISOString();
  await node.power(id, 'crashed', { exit_code: 1, restart_at });
  const panel = await open(page, {
    'content.list': () => list(some(), { pack }),
    'content.pack_plan': () => ({ ok: true, plan: packPlan }),
    'content.pack_install': () => ({ ok: true, change: change('modpack', 'stopping', { count: 15 }) }),
  });
  await page.locator('.pack').getByRole('button', { name: 'Update' }).click();
  const dialog = page.getByRole('dialog', { name: /Install a modpack on .Valley/ });
  await expect(dialog).toContainText('It starts again when the files are in place.');
  // nothing moves below the pointer: a press that began before still counts
  await dialog.getByRole('button', { name: 'Stop and install' }).hover();
  await page.mouse.down();
  await node.power(id, 'starting');
  await expect(page.locator('.shead .badge').first()).toHaveText('Starting');
  await page.mouse.up();
  await expect(page.locator('.news').getByText('15 files')).toBeVisible();
  await expect(dialog).toBeHidden();
  expect(panel.asked.find(({ name }) => name === 'content.pack_install')!.message).toMatchObject({
    stop: true,
  });
  await server.command('power', id, 'stop');
  await node.power(id, 'stopped');
});

test('nothing yet, no loader, an old agent, and no connection', async ({ page }) => {
  let answer: object = list([]);
  const panel = await open(page, { 'content.list': () => answer });
  await expect(page.getByRole('heading', { name: 'Nothing installed yet' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Add mods' }).first()).toHaveAttribute(
    'href',
    new RegExp(`^/mods\\?sid=${id}&v=`),
  );
  answer = list([], { types: ['datapack'] });
  await page.reload();
  await expect(page.getByRole('link', { name: 'Choose a loader' })).toHaveAttribute(
    'href',
    `/servers/manage/${id}/options/loader`,
  );
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  answer = refused('agent_outdated', 409, 'The agent is too old.');
  await page.reload();
  await expect(page.getByText('This server’s machine needs an update')).toBeVisible();
  answer = list(some());
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(lines(page)).toHaveCount(6);
  await panel.cut();
  await expect(page.getByRole('button', { name: 'Remove Lanternroot' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  panel.restore();
});

test('content is chosen on the search pages: filters are locked, the server stays in the address', async ({
  page,
  browser,
}) => {
  const installed = item('Lanternroot', { project: null });
  const panel = await server.openAnswered(
    page,
    {
      'content.list': () => list([installed]),
      'content.plan': () => ({ ok: true, plan }),
      'content.install': ({ op_id }) => ({
        ok: true,
        change: change('install', 'applying', { id: `${op_id}` }),
      }),
    },
    `/mods?sid=${id}&v=1.21.4`,
  );
  await expect(page.getByText('Choosing content for Valley')).toBeVisible();
  const chips = page.locator('[data-part="chips"]').last();
  await expect(chips.getByRole('link', { name: /1\.21\.4/ })).toHaveCount(0);
  await expect(chips).toContainText('1.21.4');
  await page.locator('[data-search] [name=q]').fill('lantern');
  await expect(page).toHaveURL(/q=lantern.*sid=/);
  await page.getByRole('button', { name: /^Install Lanternroot/ }).click();
  const dialog = page.getByRole('dialog', { name: /Install on .Valley/ });
  await expect(dialog).toContainText('Needs 1 more');
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(page.locator('.news').getByText('Installation of 2 files')).toBeVisible();
  expect(panel.asked.find(({ name }) => name === 'content.install')!.message).toMatchObject({
    ...{ revision: 'r1', versions: ['v11', 'v04'] },
  });
  await page.getByRole('button', { name: 'Also show incompatible content' }).click();
  await expect(chips.getByRole('link', { name: /1\.21\.4/ })).toHaveCount(1);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

  // only its owner chooses for a server
  const other = await (await browser.newContext()).newPage();
  await other.goto(`/mods?sid=${id}&v=1.21.4`);
  await expect(other.getByText('Sign in to install on your server')).toBeVisible();
  await other.context().close();
});

test('a project leads to a server that fits, or to an order that remembers it', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  await page.getByRole('link', { name: 'Install on a server' }).click();
  await expect(page.getByText('Sign in to see your servers')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Order a server for this' })).toHaveAttribute(
    'href',
    /\/servers\/buy\?content=\w+&game_version=[\d.]+&loader=fabric$/,
  );
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  const signIn = page.getByRole('main').getByRole('link', { name: 'Sign in' });
  const back = new URL((await signIn.getAttribute('href'))!, page.url()).searchParams.get('redirect');
  await server.open(page, back!);
  // a server without a loader: said why not
  await expect(page.getByRole('list', { name: 'Your servers' })).toContainText(
    'No version for this server’s loader.',
  );
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

test('a new server is asked what it is for, once', async ({ page }) => {
  await server.openAnswered(
    page,
    { 'content.list': () => list([]) },
    `/servers/manage/${id}?install=P1&version=V1`,
  );
  const card = page.getByRole('region', { name: 'What do you want to play?' });
  await expect(card.getByRole('link', { name: 'Install it' })).toHaveAttribute(
    'href',
    `/servers/manage/${id}/content?install=P1&version=V1`,
  );
  await expect(card.getByRole('link', { name: /^Plugins/ })).toHaveAttribute(
    'href',
    `/servers/manage/${id}/options/loader`,
  );
  expect(await axeFinds(page, { within: '.first-run' })).toEqual([]);
  await card.getByRole('button', { name: 'Just the game' }).click();
  await expect(card).toBeHidden();
  await page.reload();
  await expect(page.getByRole('region', { name: 'Console' })).toBeVisible();
  await expect(card).toBeHidden();
});
