import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';

/** The list of servers and the console of one, as its owner sees them. */
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
  await server.open(page, '/servers/manage');
  await expect(page.getByRole('link', { name: 'Old Quarry' })).toBeVisible();
  await expect(stateOf(page)).toHaveText('Stopped');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
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
  await server.start();
  await server.open(page);
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
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
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
  await server.start();
  await server.open(page);
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
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
});

test('values near their limit are highlighted, and everything works on phones and in every theme', async ({
  page,
}) => {
  await server.start();
  await server.open(page);
  await expect(stateOf(page)).toHaveText('Running');
  await expect
    .poll(async () => {
      node.stats(id, 0.9);
      return await page.getByRole('region', { name: 'Resource usage' }).innerText();
    })
    .toMatch(/3\.60\s*GB[\s\S]*90%/);
  await expect(page.getByRole('img', { name: /Memory: 90% now/ })).toBeVisible();
  await expect(page.getByText('2 / 12')).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await fitsPhone(page)).toBe(320);
});

test('a lost connection is reported, no line is lost or repeated, and lost lines are reported too', async ({
  page,
}) => {
  await server.start();
  const panel = await server.openAnswered(page, {});
  await node.print(id, ['before']);
  await expect(lines(page).last()).toHaveText('before');
  await panel.cut();
  await expect(page.getByText('Connection lost')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await node.print(id, ['meanwhile 1', 'meanwhile 2']);
  panel.restore();
  await expect(lines(page).last()).toHaveText('meanwhile 2');
  await expect(page.getByText('Connection lost')).toBeHidden();
  await node.print(id, ['after the gap'], 12);
  await expect(lines(page).last()).toHaveText('after the gap');
  expect((await shown(page)).slice(-5)).toEqual([
    ...['before', 'meanwhile 1', 'meanwhile 2', '12 lines skipped', 'after the gap'],
  ]);
});
