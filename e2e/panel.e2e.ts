import {
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  test,
  type WebSocketRoute,
} from 'playwright/test';
import { messages } from '#content/messages.ts';
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
  await page.getByLabel('Email or username').fill(who);
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
/** The width of the content; at least that of the window, of which a page may keep room for a scrollbar. */
const fitsPhone = (page: Page) =>
  page.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth));

test('an owner finds the new server, starts it, and works with its console', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage`);
  await expect(page.getByRole('link', { name: 'Old Quarry' })).toBeVisible();
  await expect(stateOf(page)).toHaveText('Stopped');
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search your servers' }).fill('qury stop');
  await expect(page.getByRole('link', { name: 'Old Quarry' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search your servers' }).fill('valley');
  await expect(page.getByRole('heading', { name: 'No servers match' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();

  // before the node reports anything: the button is busy, and the state is what follows
  const quick = page.getByRole('button', { name: 'Start: Old Quarry' });
  await quick.click();
  await expect(stateOf(page)).toHaveText('Starting');
  await expect(quick).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await node.power(id, 'running', { duration_s: 2 });
  await expect(stateOf(page)).toHaveText('Running');
  await page.getByRole('button', { name: 'Stop: Old Quarry' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(stateOf(page)).toHaveText('Stopping');
  await node.power(id, 'stopped');
  await expect(stateOf(page)).toHaveText('Stopped');

  await page.getByRole('link', { name: 'Old Quarry' }).click();
  const command = page.getByRole('combobox', { name: 'Command' });
  await expect(command).toHaveAttribute('placeholder', 'Not running');
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
  const search = page.getByRole('searchbox', { name: 'Search console' });
  await search.fill('ROPE');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(page.getByText('201 lines hidden')).toBeVisible();
  await search.press('Tab');
  await page.getByRole('group', { name: 'Console output' }).focus();
  await page.keyboard.press('Home');
  for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(search).toHaveValue('');
  await expect(page.locator('.term li.chosen')).toHaveText(/ropewalk/);
  await page.getByRole('button', { name: /Jump to latest|new line/ }).click();
  await expect(lines(page).last()).toHaveText('line 399');
  await page.getByRole('button', { name: 'Full screen' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('.con.whole')).toHaveCount(0);
});

test('commands are completed by what the server knows, by keyboard and by touch', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await expect(stateOf(page)).toHaveText('Running');
  node.known_commands.push(
    { name: 'ban', usage: '<targets> [<reason>]' },
    { name: 'warp', usage: '' },
    { name: 'weather', usage: '(clear|rain|thunder) [<duration>]' },
  );
  const command = page.getByRole('combobox', { name: 'Command' });
  const options = page.getByRole('option');
  await expect(command).toHaveAttribute('placeholder', 'Type a command');
  await command.pressSequentially('w');
  await expect(options).toHaveText(['warp', 'weather']);
  await command.press('ArrowDown');
  await command.press('ArrowDown');
  await expect(command).toHaveValue('weather');
  await command.press('Tab');
  await expect(command).toHaveValue('weather ');
  await expect(options).toHaveText(['weather clear', 'weather rain', 'weather thunder']);
  const first = await options.first().getAttribute('id');
  await expect(command).toHaveAttribute('aria-activedescendant', first!);
  await expect(command).toHaveAttribute('aria-expanded', 'true');
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await command.pressSequentially('r');
  await command.press('Tab');
  await expect(command).toHaveValue('weather rain ');
  await expect(options).toHaveCount(0);
  await command.press('Enter');
  await expect.poll(() => node.typed.at(-1)).toBe('weather rain');

  // Escape hides the suggestions, nothing has moved, and Tab leaves the field
  const field = await command.boundingBox();
  await command.pressSequentially('we');
  await expect(options).toHaveText(['weather']);
  expect(await command.boundingBox()).toEqual(field);
  await command.press('Escape');
  await expect(options).toHaveCount(0);
  expect(await command.boundingBox()).toEqual(field);
  await command.press('Tab');
  await expect(page.getByRole('button', { name: 'Send' })).toBeFocused();
  await command.focus();
  await command.press('ArrowUp');
  await expect(command).toHaveValue('weather rain');

  await node.print(id, ['[19:06:38] [Server thread/INFO]: tamsin joined the game']);
  await expect(lines(page).last()).toHaveText('tamsin joined the game');
  await page.setViewportSize({ width: 390, height: 844 });
  await command.fill('ban ');
  await options.filter({ hasText: 'tamsin' }).click();
  await expect(command).toHaveValue('ban tamsin ');
  await expect(command).toBeFocused();
  expect(await fitsPhone(page)).toBe(390);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => node.typed.at(-1)).toBe('ban tamsin');
});

test('lines break between words, name what Cairn did, and lead to the links in them', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await node.print(id, ['restart_requested ada'], 0, 'cairn');
  await expect(page.locator('.term li.cairn code')).toHaveText('Restart requested by ada');
  const long = 'Could not load structure snowline:hut_07: unknown block ropewalk:pulley_old in chunk';
  await node.print(id, [long, `Report this at https://example.org/issues?${'x'.repeat(80)}. Thanks`]);
  await expect(lines(page).last()).toHaveText(/Thanks$/);
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 700 });
    // every row has the height of its text, or a line more where the browser found a better place to break
    const misfits = () =>
      page.locator('.term li:has(code)').evaluateAll((rows) =>
        rows
          .map((row) => ({
            room: row.getBoundingClientRect().height,
            text: row.querySelector('code')!.getBoundingClientRect().height,
            line: row.textContent!.slice(0, 60),
          }))
          .filter(({ room, text }) => text > room + 1 || text < room - 21),
      );
    await expect.poll(misfits).toEqual([]);
    expect(await fitsPhone(page)).toBe(width);
  }
  const link = page.locator('.term code a').last();
  await expect(link).toHaveAttribute('href', `https://example.org/issues?${'x'.repeat(80)}`);
  await expect(link).toHaveAttribute('rel', /noopener noreferrer/);
  await page.getByRole('button', { name: 'View lines and links' }).click();
  const dialog = page.getByRole('dialog', { name: 'Console' });
  await expect(dialog.getByText(long)).toBeVisible();
  const same = dialog.getByRole('link').last();
  await same.focus();
  await expect(same).toBeFocused();
  await expect(same).toHaveAttribute('target', '_blank');
  expect(await axeInEveryTheme(page, 'dialog')).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('values near their limit are highlighted, and everything works on phones and in every theme', async ({
  page,
}) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await expect(stateOf(page)).toHaveText('Running');
  await expect
    .poll(async () => {
      node.stats(id, 0.9);
      return await page.getByRole('region', { name: 'Resource usage' }).innerText();
    })
    .toMatch(/3\.60\s*GB[\s\S]*90%/);
  await expect(page.getByRole('img', { name: /Memory: 90% now/ })).toBeVisible();
  await expect(page.getByText('2 / 12')).toBeVisible();
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await fitsPhone(page)).toBe(320);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
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

test('a restart after a crash and a notice leave the console where it is', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
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
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
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
  await signIn(page, renter, word, `/servers/manage/${id}`);
  await node.print(id, ['Before the crash']);
  await expect(lines(page).last()).toHaveText('Before the crash');
  const last_lines = ['java.lang.OutOfMemoryError: Java heap space', '\u001b[31mShutting down'];
  await node.power(id, 'crashed', { exit_code: 137, out_of_memory: true, crash_loop: true, last_lines });
  const card = page.getByRole('region', { name: 'The server ran out of memory' });
  await expect(card).toContainText('we stopped restarting it');
  await expect(card).toContainText('137');
  await expect(card.getByRole('group', { name: 'Last lines' })).toHaveText(/heap space\s*Shutting down/);
  expect(await axeInEveryTheme(page, 'main')).toEqual([]);
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
  await expect(page.getByText('Server restarted')).toBeVisible();

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
  const open: WebSocketRoute[] = [];
  let isCut = false;
  await page.routeWebSocket(/socket\.io/, (socket) => {
    if (isCut) void socket.close();
    else {
      socket.connectToServer();
      open.push(socket);
    }
  });
  await signIn(page, renter, word, `/servers/manage/${id}?hl=de-DE`);
  await expect(stateOf(page)).toHaveText(t('servers.state_stopped'));
  // the panel works, not only its picture from the server
  await expect.poll(() => open.length).toBeGreaterThan(0);
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

  isCut = true;
  for (const socket of open) await socket.close();
  await expect(page.getByText(t('servers.lost'), { exact: true })).toBeVisible();
  await saveAs('New Quarry');
  await expect(toast).toContainText(t('form.offline'));
  isCut = false;
  await expect(page.getByText(t('servers.lost'), { exact: true })).toBeHidden();
  await again.click();
  await expect(heading).toHaveText('New Quarry');
  await expect(toast).toHaveCount(0);
  await page.getByRole('button', { name: t('servers.rename'), exact: true }).click();
  await saveAs('Old Quarry');
  await expect(heading).toHaveText('Old Quarry');
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
  // neither a field that does not apply nor an empty preview
  await expect(desk.getByLabel('Server IDs')).toBeHidden();
  await expect(desk.getByText('Preview')).toBeHidden();
  await desk.getByLabel('For', { exact: true }).selectOption('servers');
  await desk.getByLabel('Server IDs').fill(id);
  await desk.getByLabel('Title').fill(title);
  await expect(desk.getByText('Preview')).toBeVisible();
  await desk.getByRole('button', { name: 'Publish' }).click();
  await expect(desk.getByText('Done', { exact: true })).toBeVisible();
  await onPhone(desk, desk.getByRole('button', { name: 'Publish' }));
  for (const one of [page, other]) await expect(one.getByText(title)).toBeVisible();
  expect(await axeInEveryTheme(desk, 'main')).toEqual([]);
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
  const line = desk.getByRole('listitem').filter({ hasText: `panel-${tag}` });
  await expect(line).toContainText('Online');
  await expect(line).toContainText('of 4 GB allocated');
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
  for (const one of [page, other]) await expect(one.getByText('You’re signed out')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  await expect(page).toHaveURL(/\/auth\/sign-in\?redirect=/);
}

test('without scripts the panel says what it needs, and starts and stops', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await signIn(page, renter, word, `/servers/manage/${id}`);
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

test('a deleted server leads to the list, which says so once', async ({ page }) => {
  await signIn(page, renter, word, `/servers/manage/${id}`);
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
