import { expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { type ProjectFixture, projectFixture, tokenOfUser } from './project-fixture.ts';

/** The settings of a project: as its owner, on a phone; two people at once; by keyboard. */
const [, , creator, player] = demoAccounts;
const main = (page: Page) => page.getByRole('main');
const title = (page: Page) => page.getByRole('heading', { level: 1 });
const save = (page: Page) => main(page).getByRole('button', { name: 'Save', exact: true });
const screen = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Project settings' }).getByRole('link', { name });
const updated = (page: Page) => page.locator('.toast, .saved').getByText('Project updated');

/** Adds the player to the team, with permissions by their bits. */
async function addPlayer({ request }: Page, made: ProjectFixture, permissions: number): Promise<void> {
  const { team } = (await (await request.get(`/v2/project/${made.slug}`)).json()) as { team: string };
  const { id } = (await (await request.get(`/v2/user/${player}`)).json()) as { id: string };
  const invited = await request.post(`/v2/team/${team}/members`, {
    headers: { authorization: made.token },
    data: { user_id: id, role: 'Helper', permissions },
  });
  expect(invited.status()).toBe(204);
  const token = await tokenOfUser(player!);
  const joined = await request.post(`/v2/team/${team}/join`, { headers: { authorization: token } });
  expect(joined.status()).toBe(204);
}

test('the owner finds every setting from the project, and each is saved', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const made = await projectFixture(page.request, 'rows', {});
  await signInAs(page, creator!);
  await page.goto(made.path);
  await page.getByRole('link', { name: 'Project settings' }).click();
  await expect(title(page)).toHaveText('Overview');

  await screen(page, 'General').click();
  await expect(title(page)).toHaveText('General');
  await page.getByLabel('Name', { exact: true }).fill('Rows of stones');
  await page.getByLabel('Summary').fill('Too short');
  await expect(page.getByText('The summary is short.')).toBeVisible();
  await page.getByLabel('Summary').fill('Stones in rows, so that nobody walks into the river at night.');
  await expect(page.getByText('The summary is short.')).toBeHidden();
  await page.getByLabel('URL', { exact: true }).fill(`${made.slug}-2`);
  await page.getByRole('radio', { name: /^Unlisted/ }).check();
  await save(page).click();
  await expect(updated(page)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`${made.path}-2/settings/general`));
  await expect(page.getByRole('radio', { name: /^Unlisted/ })).toBeChecked();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('radio', { name: /^Public/ })).toBeChecked();
  await expect(page).toHaveURL(new RegExp(`${made.path}/settings/general`));

  await page.getByLabel('URL', { exact: true }).fill('a b');
  await save(page).click();
  await expect(page.getByLabel('URL', { exact: true })).toBeFocused();
  await expect(page.getByText('The last part of the URL must be 3 to 64 characters long')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Reset' }).click();

  await screen(page, 'License').click();
  // a select until its script has run
  await page.getByRole('combobox', { name: 'License' }).and(page.locator('input')).fill('(GPL-3.0-only)');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByLabel('Or any later version').check();
  await expect(page.getByText('This license requires source code')).toBeVisible();
  await save(page).click();
  await expect(updated(page)).toBeVisible();

  await screen(page, 'Links').click();
  await page.getByLabel('Source code').fill('https://discord.gg/stones');
  await expect(page.getByText('One of your other links is a chat invite.')).toBeVisible();
  await page.getByLabel('Source code').fill('https://github.com/fen/rows');
  await page.getByLabel('Donation link 1', { exact: true }).fill('https://ko-fi.com/fen');
  await page.getByLabel('Donation link 2', { exact: true }).fill('https://www.patreon.com/fen');
  await expect(page.getByLabel('Service of donation link 1')).toHaveValue('ko-fi');
  await save(page).click();
  await expect(updated(page)).toBeVisible();

  await screen(page, 'Tags').click();
  await page.getByLabel('Feature Storage').press('Space');
  await expect(page.getByRole('checkbox', { name: 'Storage', exact: true })).toBeChecked();
  await save(page).click();
  await expect(updated(page)).toBeVisible();

  await screen(page, 'Environment').click();
  await page.getByRole('radio', { name: 'Dedicated servers only' }).check();
  await save(page).click();
  await expect(page.getByText(/Confirmed by/)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  const project = await (await page.request.get(`/v2/project/${made.slug}`)).json();
  expect(project).toMatchObject({
    title: `Made ${made.slug}`,
    license: { id: 'GPL-3.0-or-later' },
    source_url: 'https://github.com/fen/rows',
    donation_urls: [{ id: 'ko-fi' }, { id: 'patreon' }],
    categories: ['storage', 'utility'],
    environment: ['dedicated_server_only'],
  });
});

test('two people change the same: the second sees both versions and chooses', async ({ page, browser }) => {
  const made = await projectFixture(page.request, 'both', {});
  await addPlayer(page, made, 4);
  await signInAs(page, creator!);
  const second = await browser.newPage();
  await signInAs(second, player!);
  for (const one of [page, second]) await one.goto(`${made.path}/settings/general`);
  await page.getByLabel('Summary').fill('What the owner thinks of these rows of stones.');
  await save(page).click();
  await expect(updated(page)).toBeVisible();

  const mine = 'What the helper thinks of these rows of stones.';
  await second.getByLabel('Summary').fill(mine);
  await second.getByLabel('Name', { exact: true }).fill('Both of us');
  await save(second).click();
  const conflict = second.getByRole('region', { name: 'Two people changed this' });
  await expect(conflict).toBeVisible();
  await expect(conflict).toContainText(creator!);
  await expect(conflict).toContainText('What the owner thinks of these rows of stones.');
  await expect(conflict).toContainText(mine);
  await expect(second.getByLabel('Summary')).toHaveValue(mine);
  expect(await axeFinds(second)).toEqual([]);
  await conflict.getByRole('radio', { name: /Theirs.*owner thinks/ }).check();
  await expect(second.getByLabel('Summary')).toHaveValue('What the owner thinks of these rows of stones.');
  await conflict.getByRole('radio', { name: /Yours.*helper thinks/ }).check();
  await save(second).click();
  await expect(updated(second)).toBeVisible();
  const project = await (await page.request.get(`/v2/project/${made.slug}`)).json();
  expect(project).toMatchObject({ title: 'Both of us', description: mine });
  await second.close();
});

test('what is typed and chosen before the scripts arrive counts', async ({ page }) => {
  const made = await projectFixture(page.request, 'early', {});
  await signInAs(page, creator!);
  let arrive = () => {};
  let held = Promise.resolve();
  await page.route('**/*.js', async (route) => {
    await held;
    await route.continue();
  });
  const openEarly = async (path: string) => {
    held = new Promise((resolve) => {
      arrive = resolve;
    });
    await page.goto(path, { waitUntil: 'commit' });
  };
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer();
  const file = { name: 'stone.png', mimeType: 'image/png', buffer: picture };

  await openEarly(`${made.path}/settings/tags`);
  await page.getByLabel('Feature Storage').press('Space');
  const storage = page.getByRole('checkbox', { name: 'Storage', exact: true });
  await expect(storage).not.toBeChecked();
  arrive();
  await expect(storage).toBeChecked();

  page.on('dialog', (dialog) => void dialog.accept());
  await openEarly(`${made.path}/settings/general`);
  await page.getByLabel('Summary').fill('Too short');
  await page.getByLabel('Icon').setInputFiles(file);
  arrive();
  await expect(page.getByText('The summary is short.')).toBeVisible();
  await expect(page.locator('[data-crop] canvas')).toBeVisible();

  await openEarly(`${made.path}/settings/gallery`);
  await page.getByLabel('Add images').setInputFiles(file);
  arrive();
  await expect(page.getByRole('link', { name: /^Edit Image/ })).toBeVisible();

  await openEarly('/dashboard/projects/new');
  await page.getByRole('radio', { name: /^Shader/ }).check();
  await page.getByRole('textbox', { name: 'Name' }).fill(`Early ${made.slug}`);
  arrive();
  await expect(page.locator('[data-prefix]')).toContainText('/shader/');
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(`early-${made.slug}`);
});

test('a project is renamed and deleted by keyboard alone', async ({ page }) => {
  const made = await projectFixture(page.request, 'keys', {});
  await signInAs(page, creator!);
  await page.goto(`${made.path}/settings/general`);
  const tabTo = async (name: string) => {
    const target = page.getByLabel(name, { exact: true }).or(page.locator('summary', { hasText: name }));
    for (let presses = 0; presses < 80; presses += 1) {
      if (await target.first().evaluate((one) => one === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${name}.`);
  };
  await tabTo('Name');
  await page.keyboard.press('End');
  await page.keyboard.type(' again');
  await page.keyboard.press('Control+s');
  await expect(updated(page)).toBeVisible();
  await tabTo('Delete project');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('something else');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That isn’t the name of the project.')).toBeVisible();
  await page.keyboard.press('Control+a');
  await page.keyboard.type(`Made ${made.slug} again`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/dashboard');
  expect((await page.request.get(`/v2/project/${made.slug}`)).status()).toBe(404);
});
