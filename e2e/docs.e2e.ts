import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

const configuration = '/docs/operators/configuration';
const box = (page: Page) =>
  page.getByRole('main').getByRole('combobox', { name: 'Search the documentation' });
const options = (page: Page) => page.getByRole('listbox', { name: 'Sections found' }).getByRole('option');
const chosen = (page: Page) => options(page).and(page.getByRole('option', { selected: true }));

test('search finds a setting by its name, with the keyboard alone', async ({ page }) => {
  await page.goto('/docs');
  await box(page).pressSequentially('SEARCH_ENGINE');
  await expect(options(page).filter({ hasText: 'Configuration' })).toHaveText(/^\s*Search\s+Configuration/);
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/^\d+ sections?$/);
  await expect(box(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await expect(chosen(page)).toHaveCount(1);
  await expect(box(page)).toHaveAttribute('aria-activedescendant', (await chosen(page).getAttribute('id'))!);
  await page.keyboard.press('ArrowUp');
  await expect(chosen(page)).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(options(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue('SEARCH_ENGINE');
  await page.keyboard.press('Escape');
  await expect(box(page)).toHaveValue('');
  await box(page).pressSequentially('backups and restore');
  await expect(options(page).first()).toHaveText(/Backups and restore/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/docs\/operators\/backups/);
});

test('search says when nothing is found, and tries again after it could not be loaded', async ({ page }) => {
  await page.route('**/docs/operators.json', (route) => route.abort());
  await page.goto(configuration);
  await box(page).pressSequentially('port');
  await expect(page.getByRole('main').getByRole('status')).toHaveText(/^Search couldn’t be loaded/);
  await page.unroute('**/docs/operators.json');
  await page.keyboard.type('s');
  await expect(options(page).first()).toBeVisible();
  await box(page).fill('zzzz');
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Nothing found for “zzzz”.');
});

test('a heading gives its link, and the table of contents leads there', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(configuration);
  await page.getByRole('heading', { name: 'Game servers' }).hover();
  await page.getByRole('button', { name: 'Copy link to “Game servers”' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${baseURL}${configuration}#game-servers`);
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Operation' })
    .click();
  await expect(page).toHaveURL(/#operation$/);
  await expect(page.getByRole('heading', { name: 'Operation' })).toBeInViewport();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('pages are in a menu and search works', async ({ page }) => {
    await page.goto(configuration);
    await page.getByRole('group').getByText('Operator’s handbook').first().click();
    await page.getByRole('link', { name: 'Upgrade', exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Upgrade' })).toBeVisible();
    await box(page).fill('rate limit');
    await options(page).first().click();
    await expect(page).toHaveURL(/\/docs\/operators\//);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});

test('search results have no accessibility violations', async ({ page }) => {
  await page.goto(configuration);
  await box(page).fill('rate limit');
  await expect(options(page).first()).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
});
