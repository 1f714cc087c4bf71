import { type BrowserContext, expect, type Locator, type Page, test } from 'playwright/test';
import { messages } from '#content/messages.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** What a panel says when something happens to its server, its connection, or its owner. */
let server: RentedServer<ScriptedNode>;
let node: ScriptedNode;
let id: string;

// one for each test: what one does to its server is no other's business
test.beforeEach(async () => {
  server = await rentedServer(scriptedNode, { name: 'Old Quarry' });
  ({ node, id } = server);
});
test.afterEach(() => server?.close());

const stateOf = (page: Page) => page.locator('.badge').first();
const lines = (page: Page) => page.locator('.term li code');
/** The width of the content; at least that of the window, of which a page may keep room for a scrollbar. */
const fitsPhone = (page: Page) =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth));

test('a restart after a crash and a notice leave the console where it is', async ({ page }) => {
  await server.start();
  await server.open(page);
  const command = page.getByRole('combobox', { name: 'Command' });
  await command.click();
  const place = () => command.evaluate((field) => Math.round(field.getBoundingClientRect().top));
  const before = await place();
  const restart_at = new Date(Date.now() + 40_000).toISOString();
  await node.power(id, 'crashed', { exit_code: 42, restart_at, last_lines: ['Oh no'] });
  await expect(page.getByText('Crashed with code 42.')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^Restarting in \d\d s\.$/);
  const first = await page.getByRole('timer').innerText();
  await expect(page.getByRole('timer')).not.toHaveText(first);
  await expect(page.getByRole('heading', { name: 'The server crashed' })).toHaveCount(0);
  expect(await place()).toBe(before);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  // the checks scrolled; a smooth scroll that still goes on would move the place by itself
  await command.evaluate((field) => {
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center', behavior: 'instant' });
  });
  const moved = await place();
  // held: the card pushes the console, and the page follows
  await page.getByRole('button', { name: 'Stop', exact: true }).evaluate((stop: HTMLElement) => stop.click());
  await expect.poll(() => node.specs.get(id)?.power).toBe('off');
  await expect(page.getByRole('heading', { name: 'The server crashed' })).toHaveCount(1);
  await expect.poll(place).toBe(moved);
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await node.power(id, 'starting');
  await node.power(id, 'running');
});

test('a crash shows its details, and the safest next step', async ({ page }) => {
  await server.start();
  await server.open(page);
  await node.print(id, ['Before the crash']);
  await expect(lines(page).last()).toHaveText('Before the crash');
  const last_lines = ['java.lang.OutOfMemoryError: Java heap space', '\u001b[31mShutting down'];
  await node.power(id, 'crashed', { exit_code: 137, out_of_memory: true, crash_loop: true, last_lines });
  const card = page.getByRole('region', { name: 'The server ran out of memory' });
  await expect(card).toContainText('we stopped restarting it');
  await expect(card).toContainText('137');
  await expect(card.getByRole('group', { name: 'Last lines' })).toHaveText(/heap space\s*Shutting down/);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  // its last lines are what is seen of them, and there is one button to start it
  const excerpt = card.getByRole('group', { name: 'Last lines' });
  expect(await excerpt.evaluate((all) => all.scrollHeight - all.clientHeight - all.scrollTop)).toBeLessThan(
    2,
  );
  await expect(page.getByRole('button', { name: /^(Start|Stop)$/ })).toHaveCount(0);
  const before = node.specs.get(id)!.generation;
  await card.getByRole('button', { name: 'Start again' }).click();
  await expect.poll(() => node.specs.get(id)!.generation).toBeGreaterThan(before);
  await node.power(id, 'starting');
  await node.print(id, ['Once more']);
  await node.power(id, 'running');
  await expect(card).toHaveCount(0);
  await expect(page.getByText('The server started')).toBeVisible();

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop the server?' });
  await dialog.getByLabel('Don’t ask again').check();
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
  await page.getByRole('button', { name: 'Turn confirmations back on' }).click();
  expect(await page.evaluate(() => localStorage.getItem('servers.unasked'))).toBe('[]');
});

test('a refusal is one message in the language of the page, and what failed can be tried again', async ({
  page,
}) => {
  const { t } = messages('de-DE');
  const panel = await server.openAnswered(page, {}, `${server.address}?hl=de-DE`);
  await expect(stateOf(page)).toHaveText(t('servers.state_stopped'));
  const heading = page.getByRole('heading', { level: 1 });
  const saveAs = async (name: string) => {
    await page.getByLabel(t('servers.name'), { exact: true }).fill(name);
    await page.getByRole('button', { name: t('servers.save'), exact: true }).click();
  };
  const toast = page
    .getByRole('region', { name: t('shell.notifications') })
    .getByRole('listitem')
    .filter({ hasText: t('shell.problem_title') });
  const again = toast.getByRole('button', { name: t('shell.again') });
  await page.getByRole('button', { name: t('servers.rename'), exact: true }).click();
  await saveAs('   ');
  await saveAs('    ');
  await expect(toast).toContainText('×2');
  await expect(toast).toContainText(t('error.server_name_length'));
  await expect(again).toBeHidden();
  await toast.getByRole('button', { name: t('shell.dismiss') }).click();

  await panel.cut();
  await expect(page.getByText(t('servers.lost'), { exact: true })).toBeVisible();
  await saveAs('New Quarry');
  await expect(toast).toContainText(t('form.offline'));
  panel.restore();
  await expect(page.getByText(t('servers.lost'), { exact: true })).toBeHidden();
  await again.click();
  await expect(heading).toHaveText('New Quarry');
  await expect(toast).toHaveCount(0);
  await page.getByRole('button', { name: t('servers.rename'), exact: true }).click();
  await saveAs('Old Quarry');
  await expect(heading).toHaveText('Old Quarry');
});

test('a notice appears in two open panels, and is dismissed in both', async ({ page, browser }) => {
  const title = `Moving tonight ${id}`;
  const staff = await browser.newContext();
  const desk = await staff.newPage();
  await server.open(page);
  const other = await page.context().newPage();
  await other.goto(`/servers/manage/${id}`);
  for (const one of [page, other]) await expect(stateOf(one)).toHaveText('Stopped');
  await signInAs(desk, 'admin');
  await desk.goto('/admin/servers/notices');
  await desk.getByLabel('Level').selectOption('warn');
  // neither a field that does not apply nor an empty preview
  await expect(desk.getByLabel('Server IDs')).toBeHidden();
  await expect(desk.getByText('Preview')).toBeHidden();
  await desk.getByLabel('For', { exact: true }).selectOption('servers');
  await desk.getByLabel('Server IDs').fill(id);
  await desk.getByLabel('Title').fill(title);
  await expect(desk.getByText('Preview')).toBeVisible();
  await expect(desk.locator('.say.warn[data-preview]')).toContainText(title);
  await desk.getByRole('button', { name: 'Publish' }).click();
  await expect(desk.getByText('Notice published')).toBeVisible();
  await onPhone(desk, desk.getByRole('button', { name: 'Publish' }));
  for (const one of [page, other]) await expect(one.getByText(title)).toBeVisible();
  expect(await axeFinds(desk, { within: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  for (const one of [page, other]) await expect(one.getByText(title)).toBeHidden();
  const row = desk.getByRole('listitem').filter({ hasText: title });
  await row.getByRole('button', { name: 'End now' }).click();
  await expect(row.getByText('Ended', { exact: true })).toBeVisible();
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
  const line = desk.getByRole('listitem').filter({ hasText: server.node_name });
  await expect(line).toContainText('Online');
  await expect(line).toContainText('of 4 GB allocated');
  await onPhone(desk, line);
  expect(await axeFinds(desk, { within: 'main' })).toEqual([]);
  await line.getByRole('button', { name: 'Drain' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Drain' }).click();
  await expect(line).toContainText('Draining');
}

/** Revoked access closes the panel at once, with a message. */
async function leave(page: Page, other: Page, context: BrowserContext): Promise<void> {
  const origin = new URL(page.url()).origin;
  await context.request.post('/_internal/auth/sign-out', { headers: { origin }, maxRedirects: 0 });
  for (const one of [page, other]) await expect(one.getByText('You’re signed out')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
}

test('without scripts the panel says what it needs, and starts and stops', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await server.open(page);
  // queries by role and text leave out what lies in a noscript element
  const plain = page.locator('.plain');
  await expect(plain.locator('p')).toHaveText('The panel needs JavaScript.');
  await expect(plain.locator('p')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Resource usage' })).toBeHidden();
  await plain.locator('button', { hasText: 'Start' }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await node.power(id, 'starting');
  await node.power(id, 'running');
  await page.reload();
  await plain.locator('button', { hasText: 'Stop' }).click();
  await expect.poll(() => node.specs.get(id)?.power).toBe('off');
  await node.power(id, 'stopped');
  await context.close();
});

test('other users learn nothing of a server or of the staff pages', async ({ page }) => {
  await page.goto(`/servers/manage/${id}`);
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
  await signInAs(page, (await newAccount('player')).username);
  await page.goto('/servers/manage');
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

test('a deleted server leads to the list, which says so once', async ({ page }) => {
  await server.open(page);
  await page.getByLabel('More').click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: messages('en-US').t('servers.ask_delete') });
  await dialog.getByRole('textbox').fill('Old Quarry');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page).toHaveURL('/servers/manage');
  const toast = page.getByRole('listitem').filter({ hasText: 'Old Quarry was deleted' });
  await expect(toast).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(toast).toHaveCount(0);
});
