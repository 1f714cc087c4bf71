import { expect, type Page, test } from 'playwright/test';
import { type Answers, answerRequests } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** Players of a server: by commands while it runs, by its files while it is off. */
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Jade' });
});
test.afterAll(() => server?.close());

const list = (page: Page, name: string) => page.getByRole('region', { name });

test('players are seen, kicked, banned and admitted again', async ({ page }) => {
  const { id, node, command, address } = server;
  const state = page.getByRole('main').locator('.badge').first();
  /** What its node measures: who is on it now. */
  const measured = () => {
    const names = [...(node.game(id)?.online ?? [])];
    node.stats(id, 0.3, { online: names.length, most: 20, names });
  };
  const answers: Answers = {};
  await answerRequests(page, answers);
  await server.open(page, `${address}/players`);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state).toHaveText('Running');
  await expect(page.getByText('changes take effect immediately')).toBeVisible();
  node.game(id).online.add('Mirelle');
  const online = list(page, 'Online now');
  await expect(async () => {
    measured();
    await expect(online.getByText('Mirelle', { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  for (const [name, command] of [
    ['Make operator: Mirelle', 'op Mirelle'],
    ['Add to whitelist: Mirelle', 'whitelist add Mirelle'],
  ] as const) {
    await online.getByRole('button', { name }).click();
    await expect.poll(() => node.typed.at(-1)).toBe(command);
    // what is done is not offered again
    await expect(online.getByRole('button', { name })).toHaveCount(0);
  }
  await list(page, 'Operators')
    .getByRole('button', { name: /Mirelle/ })
    .click();
  await expect.poll(() => node.typed.at(-1)).toBe('deop Mirelle');
  await list(page, 'Whitelist')
    .getByRole('button', { name: /Mirelle/ })
    .click();
  await expect.poll(() => node.typed.at(-1)).toBe('whitelist remove Mirelle');
  await online.getByRole('button', { name: 'Kick Mirelle' }).click();
  await page.getByRole('dialog').getByLabel('Reason').fill('too many lanterns');
  await page.getByRole('dialog').getByRole('button', { name: 'Kick', exact: true }).click();
  await expect.poll(() => node.typed.at(-1)).toBe('kick Mirelle too many lanterns');
  await expect(async () => {
    measured();
    await expect(online.getByText('Nobody is online.')).toBeVisible({ timeout: 1_000 });
  }).toPass();

  const bans = list(page, 'Banned players');
  await bans.getByLabel('Player name').fill('Mirelle; stop');
  await expect(bans.getByText('3 to 16 letters')).toBeVisible();
  // what is typed stays while the file of its list cannot be read
  const search = async (text: string) => await page.getByRole('searchbox').fill(text);
  node.folders.write(id, 'banned-players.json', '[{');
  await search('mill');
  await expect(bans.getByText('file can’t be read')).toBeVisible();
  node.folders.write(id, 'banned-players.json', '[]');
  await search('');
  await expect(bans.getByLabel('Player name')).toHaveValue('Mirelle; stop');
  // and when the lists are loaded again and cannot be
  const unreachable = { ok: false, error: 'server_unreachable', status: 503, description: 'No answer.' };
  answers['players.show'] = () => unreachable;
  node.game(id).online.add('Fen');
  const failed = page.getByText('Failed to load the lists');
  await expect(async () => {
    measured();
    await expect(failed).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(bans.getByLabel('Player name')).toHaveValue('Mirelle; stop');
  delete answers['players.show'];
  await expect(async () => {
    // a change of who is online loads the lists too, which may take the button away first
    if (await failed.isVisible())
      await page.getByRole('button', { name: 'Try again' }).click({ timeout: 1_000 });
    await expect(failed).toBeHidden({ timeout: 1_000 });
  }).toPass();
  await expect(bans.getByLabel('Player name')).toHaveValue('Mirelle; stop');
  await bans.getByLabel('Player name').fill('Mirelle');
  await bans.getByLabel('Reason').fill('griefing the mill');
  await bans.getByRole('button', { name: 'Ban', exact: true }).click();
  await expect(bans.getByRole('listitem').filter({ hasText: 'griefing the mill' })).toBeVisible();
  expect(node.typed.at(-1)).toBe('ban Mirelle griefing the mill');
  const operators = list(page, 'Operators');
  await operators.getByLabel('Level').selectOption('2');
  await operators.getByLabel('Player name').fill('Odo');
  await operators.getByRole('button', { name: 'Add' }).click();
  await expect(operators.getByText('gives every new operator level 4')).toBeVisible();
  await page.getByLabel('Only players on this list').check();
  await expect(page.getByLabel('Only players on this list')).toBeChecked();
  await expect.poll(() => node.typed.at(-1)).toBe('whitelist on');
  expect(await axeFinds(page)).toEqual([]);

  // off, the same view writes the files
  await command('power', id, 'stop');
  await expect(state).toHaveText('Stopped');
  await expect(page.getByText('changes take effect when it starts')).toBeVisible();
  const typed = node.typed.length;
  await operators.getByRole('button', { name: 'Add' }).click();
  await expect(operators.getByRole('listitem')).toContainText('Level 2');
  await page.getByRole('searchbox').fill('mill');
  await expect(operators.getByText('No matches on this list.')).toBeVisible();
  await bans.getByRole('button', { name: 'Unban Mirelle' }).click();
  await expect(bans.getByText('Nobody is banned.')).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await list(page, 'Whitelist').getByLabel('Player name').fill('Mirelle');
  await list(page, 'Whitelist').getByRole('button', { name: 'Add' }).click();
  await expect(list(page, 'Whitelist').getByRole('listitem')).toContainText('Mirelle');
  expect(JSON.parse(await command('players', 'list', id, '--json'))).toMatchObject({
    ...{ whitelist_on: true, operators: { entries: [{ who: 'Odo', level: 2 }] }, bans: { total: 0 } },
  });
  expect(JSON.parse(node.folders.read(id, 'ops.json'))).toMatchObject([{ name: 'Odo', level: 2 }]);
  expect(node.folders.read(id, 'server.properties')).toContain('white-list=true');
  expect(node.typed).toHaveLength(typed);
  for (const [tag, width] of [
    ['en-US', 1280],
    ['en-US', 390],
    ['ar-SA', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(inLanguage(`${address}/players`, tag));
    await expect(page.getByRole('listitem').filter({ hasText: 'Odo' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
