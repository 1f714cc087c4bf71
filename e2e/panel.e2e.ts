import {
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  test,
  type WebSocketRoute,
} from 'playwright/test';
import { weigh } from '../bench/pages/weigh.ts';
import { axeFinds, axeInEveryTheme } from './axe.ts';
import { cairn } from './cairn.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** The panel as a server owner sees it, with an agent scripted by the test. */
const tag = Date.now().toString(36);
const renter = `panel${tag}`;
const word = 'nine-warm-stones';
let node: ScriptedNode;
let id: string;

// axe checks many screens in four themes each
test.describe.configure({ mode: 'serial', timeout: 240_000 });

test.beforeAll(async () => {
  const given = ['--username', renter, '--email', `${renter}@example.org`, '--password', word];
  await cairn('user', 'create', ...given);
  // capacity for one server only, so that orders of other tests are scheduled elsewhere
  const room = ['--ram', '4096', '--ports', '24800-24800', '--bind', '127.0.0.1'];
  const where = ['--region', 'southeast-asia', '--address', 'play.example.org'];
  const command = await cairn('node', 'add', `panel-${tag}`, ...where, ...room);
  node = await scriptedNode(/--join (\S+)/.exec(command)![1]!);
  const token = await cairn('token', 'create', '--user', renter, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Old Quarry', '--kind', 'local', '--region', 'southeast-asia'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
test.afterAll(async () => {
  node?.close();
  await cairn('node', 'drain', `panel-${tag}`);
});

async function signIn(page: Page, who: string, password: string, to: string): Promise<void> {
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('E-mail or username').fill(who);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(new RegExp(`${to.split('?')[0]}(\\?|$)`));
}

const stateOf = (page: Page) => page.locator('.badge').first();
const lines = (page: Page) => page.locator('.term li code');
/** The visible lines, gaps included, without the timestamps. */
const shown = (page: Page) =>
  page
    .locator('.term li')
    .evaluateAll((all) =>
      all
        .sort((a, b) => Number(a.dataset.at) - Number(b.dataset.at))
        .map((line) => (line.querySelector('code') ?? line).textContent),
    );
const fitsPhone = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

test('an owner finds the new server, starts it, and works with its console', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage?order=${id}`);
  await expect(page.getByRole('link', { name: 'Old Quarry' })).toBeVisible();
  await expect(stateOf(page)).toHaveText('Stopped');
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search your servers' }).fill('qury stop');
  await expect(page.getByRole('link', { name: 'Old Quarry' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search your servers' }).fill('valley');
  await expect(page.getByRole('heading', { name: 'None of your servers fits' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();

  await page.getByRole('link', { name: 'Old Quarry' }).click();
  const command = page.getByRole('textbox', { name: 'Command' });
  await expect(command).toHaveAttribute('placeholder', /not running/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await node.power(id, 'starting');
  await expect(stateOf(page)).toHaveText('Starting');
  await node.print(id, [
    'Starting',
    '[19:04:11] [Server thread/WARN]: Ambiguity',
    '\u001b[31mred\u001b[0m plain',
  ]);
  await node.power(id, 'running', { duration_s: 2 });
  await expect(stateOf(page)).toHaveText('Running');
  await expect.poll(() => shown(page)).toEqual(['Starting', 'Ambiguity', 'red plain']);
  await expect(page.locator('.term li.warn')).toHaveText(/warn.*Ambiguity/);
  await expect(page.locator('.term .a1')).toHaveText('red');

  await command.fill('say hello');
  await command.press('Enter');
  await expect.poll(() => node.typed).toEqual(['say hello']);
  await expect(command).toHaveValue('');
  await command.press('ArrowUp');
  await expect(command).toHaveValue('say hello');

  await node.print(
    id,
    Array.from({ length: 400 }, (_, i) => (i === 200 ? 'ropewalk' : `line ${i}`)),
  );
  await expect(lines(page).last()).toHaveText('line 399');
  expect(await page.locator('.term li').count()).toBeLessThan(100);
  const search = page.getByRole('searchbox', { name: 'Search the console' });
  await search.fill('ROPE');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(page.getByText('201 lines between')).toBeVisible();
  await search.press('Tab');
  await page.getByRole('group', { name: 'Lines of the console' }).focus();
  await page.keyboard.press('Home');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveValue('');
  await expect(page.locator('.term li.chosen')).toHaveText(/ropewalk/);
  await page.getByRole('button', { name: /newest line|new line/ }).click();
  await expect(lines(page).last()).toHaveText('line 399');
  await page.getByRole('button', { name: 'Fill the window' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.con.whole')).toHaveCount(0);
});

test('values near their limit are highlighted, and everything works on phones and in every theme', async ({
  page,
  browser,
}) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await expect(stateOf(page)).toHaveText('Running');
  await expect
    .poll(async () => {
      node.stats(id, 0.9);
      return await page.getByRole('region', { name: 'Figures' }).innerText();
    })
    .toMatch(/3\.60\s*GiB[\s\S]*90%/);
  await expect(page.getByRole('img', { name: /Memory: 90% now/ })).toBeVisible();
  await expect(page.getByText('2 / 12')).toBeVisible();
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await fitsPhone(page)).toBe(320);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);

  const fresh = await browser.newContext({ storageState: await page.context().storageState() });
  const weight = await weigh(await fresh.newPage(), `/servers/manage/${id}`);
  await fresh.close();
  expect(weight.script_bytes).toBeLessThanOrEqual(130_000);
  expect(weight.style_bytes).toBeLessThanOrEqual(14_000);
});

test('a lost connection is reported, no line is lost or repeated, and lost lines are reported too', async ({
  page,
}) => {
  const open: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isCut) void socket.close();
    else {
      socket.connectToServer();
      open.push(socket);
    }
  });
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await node.print(id, ['before']);
  await expect(lines(page).last()).toHaveText('before');
  isCut = true;
  for (const socket of open) await socket.close();
  await expect(page.getByText('Connection lost')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await node.print(id, ['meanwhile 1', 'meanwhile 2']);
  isCut = false;
  await expect(lines(page).last()).toHaveText('meanwhile 2');
  await expect(page.getByText('Connection lost')).toBeHidden();
  await node.print(id, ['after the gap'], 12);
  await expect(lines(page).last()).toHaveText('after the gap');
  expect((await shown(page)).slice(-5)).toEqual([
    ...['before', 'meanwhile 1', 'meanwhile 2', '12 lines skipped', 'after the gap'],
  ]);
});

test('a crash shows its details, and the safest next step', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
  const last_lines = ['java.lang.OutOfMemoryError: Java heap space', '\u001b[31mShutting down'];
  await node.power(id, 'crashed', { exit_code: 137, out_of_memory: true, crash_loop: true, last_lines });
  const card = page.getByRole('region', { name: 'The server ran out of memory' });
  await expect(card).toContainText('not started again by itself');
  await expect(card).toContainText('137');
  await expect(card.getByRole('group', { name: 'Last lines' })).toHaveText(/heap space\s*Shutting down/);
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveCount(0);
  const before = node.specs.get(id)!.generation;
  await card.getByRole('button', { name: 'Start again' }).click();
  await expect.poll(() => node.specs.get(id)!.generation).toBeGreaterThan(before);
  await node.power(id, 'starting');
  await node.print(id, ['Once more']);
  await node.power(id, 'running');
  await expect(card).toHaveCount(0);
  await expect(page.getByText('The server started anew')).toBeVisible();

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop the server?' });
  await dialog.getByLabel('Do not ask again').check();
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('off');
  await node.power(id, 'stopped');
  await expect(stateOf(page)).toHaveText('Stopped');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await node.power(id, 'starting');
  await node.power(id, 'running');
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('off');
  await expect(dialog).toHaveCount(0);
  await node.power(id, 'stopped');
  await expect(stateOf(page)).toHaveText('Stopped');
  await page.getByLabel('More').click();
  await page.getByRole('button', { name: 'Ask before power actions again' }).click();
  expect(await page.evaluate(() => localStorage.getItem('servers.unasked'))).toBe('[]');
});

test('a notice appears in two open panels, and is dismissed in both', async ({ page, browser }) => {
  const title = `Moving tonight ${tag}`;
  const staff = await browser.newContext();
  const desk = await staff.newPage();
  await signIn(page, renter, word, `/servers/manage/${id}`);
  const other = await page.context().newPage();
  await other.goto(`/servers/manage/${id}`);
  for (const one of [page, other]) await expect(stateOf(one)).toHaveText('Stopped');
  await signIn(desk, 'admin', 'stack-seven-stones', '/admin/servers/notices');
  await desk.getByLabel('Level').selectOption('warn');
  await desk.getByLabel('For', { exact: true }).selectOption('servers');
  await desk.getByLabel('IDs of servers').fill(id);
  await desk.getByLabel('Title').fill(title);
  await desk.getByRole('button', { name: 'Publish' }).click();
  await expect(desk.getByText('That is done')).toBeVisible();
  await onPhone(desk, desk.getByRole('button', { name: 'Publish' }));
  for (const one of [page, other]) await expect(one.getByText(title)).toBeVisible();
  expect(await axeInEveryTheme(desk, 'main')).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  for (const one of [page, other]) await expect(one.getByText(title)).toBeHidden();
  const row = desk.getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: 'End it' }).click();
  await expect(row.getByText('Over', { exact: true })).toBeVisible();
  await fleet(desk);
  await leave(page, other, page.context());
  await staff.close();
});

/** On a phone the same content is visible, and nothing is wider than the screen. */
async function onPhone(desk: Page, what: Locator): Promise<void> {
  await desk.setViewportSize({ width: 320, height: 640 });
  await expect(what).toBeVisible();
  expect(await fitsPhone(desk)).toBe(320);
  await desk.setViewportSize({ width: 1280, height: 900 });
}

/** An administrator sees the node and drains it. */
async function fleet(desk: Page): Promise<void> {
  await desk.goto('/servers/admin');
  const line = desk.getByRole('listitem').filter({ hasText: `panel-${tag}` });
  await expect(line).toContainText('Healthy');
  await onPhone(desk, line);
  expect(await axeInEveryTheme(desk, 'main')).toEqual([]);
  await line.getByRole('button', { name: 'Drain' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await expect(line).toContainText('Draining');
}

/** Revoked access closes the panel at once, with a message. */
async function leave(page: Page, other: Page, context: BrowserContext): Promise<void> {
  const origin = new URL(page.url()).origin;
  await context.request.post('/_internal/auth/sign-out', { headers: { origin }, maxRedirects: 0 });
  for (const one of [page, other]) await expect(one.getByText('You are signed out')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
}

test('other users learn nothing of a server or of the staff pages', async ({ page }) => {
  await page.goto(`/servers/manage/${id}`);
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
  await signIn(page, 'player', 'stack-seven-stones', '/servers/manage');
  for (const path of [
    `/servers/manage/${id}`,
    '/servers/manage/never',
    '/servers/admin',
    '/admin/servers/notices',
  ]) {
    expect((await page.goto(path))!.status(), path).toBe(404);
    await expect(page.getByText('Old Quarry')).toHaveCount(0);
  }
});
