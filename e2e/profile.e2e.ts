import { expect, type Page, test } from 'playwright/test';
import { signedInNewcomer } from './newcomer.ts';
import { slowEvenings } from './pages.ts';

const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search these projects' });
const sort = (page: Page) => page.getByRole('combobox', { name: 'Sort' });
/** The links to projects, without the author links beside them. */
const titles = (page: Page) => page.getByRole('main').locator('.list h3 > a');

test('a list is sorted and filtered, with its state in the address', async ({ page }) => {
  await page.goto('/user/mirelle');
  await sort(page).selectOption('Newest');
  await expect(page).toHaveURL('/user/mirelle?s=newest');

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

test('lists keep the chosen layout on every page', async ({ page }) => {
  await page.goto(slowEvenings);
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

test('people find their own page in the account menu, what is private there, and no report of it', async ({
  page,
  browser,
}) => {
  const { username, token } = await signedInNewcomer(page);
  const headers = { authorization: token };
  const made = await page.request.post('/v3/collection', {
    headers,
    data: { name: 'For a friend', projects: [] },
  });
  const { id } = (await made.json()) as { id: string };
  await page.request.patch(`/v3/collection/${id}`, { headers, data: { status: 'private' } });
  const report = page.getByRole('main').getByRole('link', { name: 'Report', exact: true });
  const more = page
    .getByRole('main')
    .locator('summary', { has: page.locator('svg') })
    .first();

  await page.goto('/user/mirelle');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await more.click();
  await expect(report).toBeVisible();
  await page.getByLabel(`Your account, ${username}`).click();
  await page.getByRole('banner').getByRole('link', { name: 'Your profile' }).click();
  await expect(page).toHaveURL(`/user/${username}`);
  await expect(page.getByText('hasn’t published any projects or collections yet.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'New project' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit profile' })).toBeVisible();
  await more.click();
  await expect(page.getByRole('button', { name: 'Copy ID' })).toBeVisible();
  await expect(report).toBeHidden();

  await page.getByLabel(`Your account, ${username}`).click();
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
