import { expect, type Page, test } from 'playwright/test';
import { demoAccounts, demoPassword } from '../db/demo/demo.ts';
import { signedInBuyer } from './buyer.ts';
import { projectFixture } from './project-fixture.ts';

interface Listed {
  title: string;
  status: string;
  approved: string | null;
  published: string;
}

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search these projects' });
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort' });
/** The links to projects, without the author links beside them. */
const titles = (page: Page) => page.getByRole('main').locator('.list h3 > a');

test('a visitor follows a project to its author, and on to their other projects', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  await page.getByRole('complementary').getByRole('link', { name: 'mirelle' }).click();
  await expect(page).toHaveURL('/user/mirelle');
  await expect(page.getByRole('heading', { name: 'mirelle', level: 1 })).toBeVisible();
  await expect(page.getByTitle(/^[\d,]+ downloads$/).first()).toBeVisible();

  const tabs = page.getByRole('navigation', { name: 'Profile sections' });
  await tabs.getByRole('link', { name: /^Shaders/ }).click();
  await expect(page).toHaveURL('/user/mirelle/shaders');
  await expect(tabs.getByRole('link', { name: /^Shaders/ })).toHaveAttribute('aria-current', 'page');
  await expect(tabs.getByRole('link', { name: /^Plugins/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Clearwater' }).click();
  await expect(page).toHaveURL('/shader/clearwater');
});

test('a list is sorted and filtered, with its state in the address', async ({ page, request }) => {
  const all = (await (await request.get('/v2/user/mirelle/projects')).json()) as Listed[];
  const date = ({ approved, published }: Listed) => Date.parse(approved ?? published);
  const newest = all.sort((a, b) => date(b) - date(a)).map(({ title }) => title);
  await page.goto('/user/mirelle');
  await sort(page).selectOption('Newest');
  await expect(page).toHaveURL('/user/mirelle?s=newest');
  await expect(titles(page)).toHaveText(newest);

  await searchBox(page).fill('cave');
  await searchBox(page).press('Enter');
  await expect(page).toHaveURL('/user/mirelle?q=cave&s=newest');
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/^\d projects?$/);
  await expect(titles(page).filter({ hasText: 'Lanternroot' })).toBeVisible();
  await expect(titles(page).filter({ hasText: 'Clearwater' })).toHaveCount(0);

  await searchBox(page).fill('nothing is called like this');
  await searchBox(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
  await page.getByRole('link', { name: 'Show all' }).click();
  await expect(page).toHaveURL('/user/mirelle');
  await page.goBack();
  await expect(searchBox(page)).toHaveValue('nothing is called like this');
});

test("a user's collections are a tab, and lists keep the chosen layout on every page", async ({ page }) => {
  await page.goto('/user/mirelle');
  await page
    .getByRole('navigation', { name: 'Profile sections' })
    .getByRole('link', { name: /^Collections/ })
    .click();
  await expect(page).toHaveURL('/user/mirelle/collections');
  const gathered = page.getByRole('main').getByRole('listitem').getByRole('heading');
  await expect(gathered.filter({ hasText: 'Slow evenings' })).toBeVisible();
  await expect(gathered.filter({ hasText: 'Caves worth the climb back' })).toHaveCount(0); // unlisted
  await expect(gathered.filter({ hasText: 'Christmas surprises' })).toHaveCount(0); // private
  const box = page.getByRole('searchbox', { name: 'Search these collections' });
  await box.fill('farms');
  await box.press('Enter');
  await expect(page).toHaveURL('/user/mirelle/collections?q=farms');
  await expect(gathered).toHaveText(['Slow evenings']);

  await page.getByRole('link', { name: 'Slow evenings' }).click();
  await expect(page.getByRole('heading', { name: 'Slow evenings', level: 1 })).toBeVisible();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('data-display-collection', 'list');
  const gallery = page.getByRole('button', { name: 'Gallery' });
  const list = page.getByRole('button', { name: 'List', exact: true });
  await expect(list).toHaveAttribute('aria-pressed', 'true'); // its script is loaded
  await gallery.click();
  await expect(gallery).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('link', { name: 'Page 2' }).click();
  await expect(page).toHaveURL(/\?page=2$/);
  await expect(html).toHaveAttribute('data-display-collection', 'gallery');
  await expect(gallery).toHaveAttribute('aria-pressed', 'true');
  await expect(page.locator('.shot').first()).toBeVisible();
  await page.goto('/user/mirelle'); // profiles have their own setting
  await expect(html).toHaveAttribute('data-display-user', 'list');
  await expect(page.locator('.shot').first()).toBeHidden();
});

test('addresses redirect to the canonical spelling of a name', async ({ request }) => {
  const { id } = (await (await request.get('/v2/user/mirelle')).json()) as { id: string };
  const moved = {
    '/user/MIRELLE': [301, '/user/mirelle'],
    [`/user/${id}/mods?s=newest`]: [301, '/user/mirelle/mods?s=newest'],
    '/organization/Stonewrights/mods': [301, '/organization/stonewrights/mods'],
    '/user/mirelle?page=99&s=updated': [302, '/user/mirelle?s=updated'],
    '/user/Mirelle/collections?q=light': [301, '/user/mirelle/collections?q=light'],
    '/user/mirelle/collections?page=99999999999': [302, '/user/mirelle/collections'],
    '/collection/Following': [301, '/collection/following'],
  };
  for (const [path, [status, location]] of Object.entries(moved)) {
    const answer = await request.get(path, { maxRedirects: 0 });
    expect([path, answer.status(), answer.headers().location]).toEqual([path, status, location]);
  }
  for (const path of [
    '/user/mirelle/hats',
    '/user/%00',
    '/organization/%00',
    '/organization/stonewrights/hats',
  ])
    expect([path, (await request.get(path)).status()]).toEqual([path, 404]);
});

test('an organization lists its members, the owner first, and they link to it', async ({ page }) => {
  await page.goto('/organization/stonewrights');
  await expect(page.getByRole('heading', { name: 'Stonewrights', level: 1 })).toBeVisible();
  const members = page.getByRole('complementary').getByRole('listitem');
  await expect(members.first()).toHaveText(/hollis\s*Owner/);
  await members.first().getByRole('link').click();
  await expect(page).toHaveURL('/user/hollis');
  await page.getByRole('complementary').getByRole('link', { name: 'Stonewrights' }).click();
  await expect(page).toHaveURL('/organization/stonewrights');
});

test('sharing copies the permanent link where there is no share menu', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/user/mirelle');
  await page.getByLabel('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/\/user\/\w{8}$/);
  await page.goto(baseURL + new URL(copied).pathname);
  await expect(page).toHaveURL('/user/mirelle');
});

test('a signed-in user finds their own page in the account menu', async ({ page }) => {
  await page.goto('/auth/sign-in?redirect=/');
  await page.getByLabel('Email or username').fill(demoAccounts[3]!);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel(`Your account, ${demoAccounts[3]}`).click();
  await page.getByRole('banner').getByRole('link', { name: 'Your profile' }).click();
  await expect(page).toHaveURL(`/user/${demoAccounts[3]}`);
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
});

test('a hidden project disappears from the page of its owner', async ({ page, request }) => {
  const { slug, token } = await projectFixture(request, 'vanishing', {});
  const found = async () => {
    await page.goto(`/user/${demoAccounts[2]}?q=${slug}`);
    return titles(page).count();
  };
  await expect.poll(found).toBe(1);
  const hidden = await request.patch(`/v2/project/${slug}`, {
    headers: { authorization: token },
    data: { status: 'private' },
  });
  expect(hidden.ok()).toBe(true);
  await expect.poll(found).toBe(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a list can be sorted and filtered too', async ({ page }) => {
    await page.goto('/user/mirelle');
    await expect(page.getByLabel('More', { exact: true })).toBeHidden();
    await searchBox(page).fill('cave');
    await sort(page).selectOption('Followers');
    await page.getByRole('button', { name: 'Show' }).click();
    await expect(page).toHaveURL('/user/mirelle?q=cave&s=follows');
    await expect(titles(page).filter({ hasText: 'Lanternroot' })).toBeVisible();
    await expect(titles(page).filter({ hasText: 'Clearwater' })).toHaveCount(0);
  });
});

test('the owner of a profile sees what is private there, with a badge; nobody else does', async ({
  page,
  browser,
}) => {
  const username = demoAccounts[2]!;
  await page.goto('/auth/sign-in');
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/dashboard');
  const id = await page.evaluate(async () => {
    const send = (method: string, path: string, json: object) =>
      fetch(path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) });
    const created = await send('POST', '/v3/collection', { name: 'For a friend', projects: [] });
    const { id } = (await created.json()) as { id: string };
    await send('PATCH', `/v3/collection/${id}`, { status: 'private' });
    return id;
  });
  await page.getByRole('banner').locator('.account summary').click();
  await page.getByRole('banner').getByRole('link', { name: 'Collections' }).click();
  await expect(page).toHaveURL(`/user/${username}/collections`);
  const own = page.getByRole('region', { name: 'Only visible to you' });
  const row = own.getByRole('listitem').filter({ hasText: 'For a friend' });
  await expect(row).toContainText('Private');
  await row.getByRole('link').click();
  await expect(page).toHaveURL(`/collection/${id}`);
  const stranger = await browser.newPage();
  await stranger.goto(`/user/${username}/collections`);
  await expect(stranger.locator('html')).toHaveAttribute('data-viewer-known');
  await expect(stranger.getByRole('region', { name: 'Only visible to you' })).toHaveCount(0);
  await stranger.close();
});

test('people are reported by others, not by themselves', async ({ page }) => {
  const who = await signedInBuyer(page, '/dashboard');
  const report = page.getByRole('main').getByRole('link', { name: 'Report', exact: true });
  const more = page
    .getByRole('main')
    .locator('summary', { has: page.locator('svg') })
    .first();
  await page.goto('/user/mirelle');
  await expect(page.locator('html[data-viewer-known]')).toBeAttached();
  await more.click();
  await expect(report).toBeVisible();
  await page.goto(`/user/${who}`);
  await expect(page.getByRole('link', { name: 'Edit profile' })).toBeVisible();
  await more.click();
  await expect(page.getByRole('button', { name: 'Copy ID' })).toBeVisible();
  await expect(report).toBeHidden();
});
