import { expect, type Page, test } from 'playwright/test';
import { signInAs } from './accounts.ts';

const stored = async (page: Page) => {
  const cookies = await page.context().cookies();
  const storage = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }));
  return { cookies: cookies.map(({ name, value }) => `${name}=${value}`), storage: Object.keys(storage) };
};
const statistics = (page: Page) => page.getByRole('switch', { name: 'Statistics' });
const saved = 'Your choice is saved in this browser.';

test('nothing is stored before a choice, and the choice is kept', async ({ page }) => {
  await page.goto('/legal/cmp');
  await expect(page.getByText('You haven’t chosen yet.')).toBeVisible();
  await expect(statistics(page)).not.toBeChecked();
  expect(await stored(page)).toEqual({ cookies: [], storage: [] });

  await statistics(page).check();
  await page.reload();
  await expect(statistics(page), 'not saved').not.toBeChecked();

  await statistics(page).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('status').filter({ hasText: saved })).toBeVisible();
  await page.reload();
  await expect(statistics(page)).toBeChecked();
  expect(await stored(page)).toEqual({ cookies: ['consent=analytics'], storage: [] });

  await page.getByRole('button', { name: 'Reject all' }).click();
  await expect(statistics(page)).not.toBeChecked();
  await page.reload();
  await expect(statistics(page)).not.toBeChecked();
  expect((await stored(page)).cookies).toEqual(['consent=none']);

  await page.getByRole('button', { name: 'Accept all' }).click();
  await page.reload();
  await expect(statistics(page)).toBeChecked();
});

test('a browser that asks not to be tracked has everything optional off', async ({ page }) => {
  await page.goto('/legal/cmp');
  await page.getByRole('button', { name: 'Accept all' }).click();
  await expect(page.getByText(saved)).toBeVisible();
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  await page.reload();
  await expect(page.getByText('Your browser asks not to be tracked')).toBeVisible();
  await expect(statistics(page)).not.toBeChecked();
  await expect(statistics(page)).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Accept all' })).toBeDisabled();
});

test('every cookie of a signed-in visit is listed', async ({ page }) => {
  await signInAs(page, 'admin');
  await page.goto('/settings');
  await page.getByRole('switch', { name: 'Advanced rendering' }).uncheck();
  const { cookies, storage } = await stored(page);
  expect(cookies.length).toBeGreaterThan(1);
  await page.goto('/legal/cmp');
  for (const name of [...cookies.map((cookie) => cookie.split('=')[0]!), ...storage])
    await expect(page.getByRole('rowheader', { name: new RegExp(`^${name} `) })).toBeVisible();
});

test('administrators see what is missing on legal pages, visitors do not', async ({ page }) => {
  const gaps = page.getByText('Operator details are missing');
  await page.goto('/legal/terms');
  await expect(page.getByRole('heading', { name: 'Terms of use', level: 1 })).toBeVisible();
  await expect(gaps).toBeHidden();
  await signInAs(page, 'admin');
  await page.goto('/legal/terms');
  await expect(gaps).toBeVisible();
  await expect(page.getByText('OPERATOR_NAME', { exact: true })).toBeVisible();
  await page.goto('/legal/security');
  await expect(page.getByText('OPERATOR_NAME', { exact: true })).toHaveCount(0);
});

test('on a phone the contents lead to their section', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/legal/copyright?hl=de-DE');
  await page.getByText('Auf dieser Seite', { exact: true }).locator('visible=true').click();
  await page.locator('details').getByRole('link', { name: 'Falsche Meldungen' }).click();
  await expect(page.getByRole('heading', { name: 'Falsche Meldungen', level: 2 })).toBeInViewport();
});

test('the printed page has the text and its addresses alone', async ({ page, baseURL }) => {
  await page.goto('/legal/rules');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('contentinfo')).toBeHidden();
  await expect(page.getByRole('navigation', { name: 'On this page' })).toBeHidden();
  const after = await page
    .getByRole('main')
    .getByRole('link', { name: 'terms' })
    .first()
    .evaluate((link) => getComputedStyle(link, '::after').content);
  expect(after).toBe(`" (${baseURL}/legal/terms)"`);
});
