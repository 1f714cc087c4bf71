import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';

const password = 'Seven flat stones in a row';
const unique = () => Math.random().toString(36).slice(2, 9);

/** A new account, signed in without showing a page; `verified` ones were made by an administrator. */
async function newcomer(page: Page, verified: boolean): Promise<string> {
  const username = `fern-${unique()}`;
  const email = `${username}@example.test`;
  if (verified) {
    await cairn('user', 'create', '--username', username, '--email', email, '--password', password);
    const data = { username, password };
    expect((await page.request.post('/_internal/auth/sign-in', { data })).status()).toBe(200);
  } else {
    const data = { username, email, password, confirm_password: password };
    expect((await page.request.post('/_internal/auth/sign-up', { data })).status()).toBe(200);
  }
  return username;
}

test('a project is started from the menu; its address follows the name until it is edited', async ({
  page,
}) => {
  await newcomer(page, true);
  await page.goto('/mods');
  await page.locator('summary[aria-label="Create"]').click();
  await page.getByRole('link', { name: 'New project' }).first().click();
  await expect(page.getByRole('heading', { name: 'Create project', level: 1 })).toBeVisible();
  const name = `Pale Ferns ${unique()}`;
  const slug = name.toLowerCase().replaceAll(' ', '-');
  const address = page.getByRole('textbox', { name: 'URL' });
  await page.getByRole('radio', { name: /^Shader/ }).check();
  await expect(page.locator('[data-prefix]')).toContainText('/shader/');
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await expect(address).toHaveValue(slug);
  await address.fill(`${slug}-mine`);
  await page.getByRole('textbox', { name: 'Name' }).fill(`${name} two`);
  await expect(address).toHaveValue(`${slug}-mine`);
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(
    page.getByText('This field is required.').or(page.getByText('Use 3 to 255 characters.')),
  ).toBeVisible();
  await page.getByRole('textbox', { name: 'Summary' }).fill('Ferns for dark corners');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page).toHaveURL(new RegExp(`/shader/${slug}-mine/version/create`));
  await page.goto('/dashboard/projects/new');
  await expect(page.getByRole('heading', { name: 'Continue a draft' })).toBeVisible();
  await expect(page.getByRole('link', { name: `${name} two` })).toBeVisible();
});

test('a new account hears first that its address has to be verified', async ({ page }) => {
  await newcomer(page, false);
  for (const what of ['projects', 'collections']) {
    await page.goto(`/dashboard/${what}/new`);
    await expect(page.getByText('Verify your email address first')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Verify address' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Name' })).toHaveCount(0);
  }
});

test('on a phone the account sheet leads there, and a collection is created by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await newcomer(page, true);
  await page.goto('/mods');
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'New collection' }).click();
  await page.getByRole('textbox', { name: 'Name' }).focus();
  await page.keyboard.type('Slow evenings');
  await page.keyboard.press('Tab');
  await page.keyboard.type('For when the fire is lit.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/collection\/\w+$/);
  await expect(page.getByRole('heading', { name: 'Slow evenings', level: 1 })).toBeVisible();
  await expect(page.getByText('Unlisted', { exact: true })).toBeVisible();
});

test('without scripts a project is created with the address of its name', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL! });
  const page = await context.newPage();
  await newcomer(page, true);
  await page.goto('/dashboard/projects/new');
  const name = `Marsh ${unique()}`;
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  await page.getByRole('textbox', { name: 'Summary' }).fill('Where the reeds are');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(page).toHaveURL(new RegExp(`/mod/${name.toLowerCase().replace(' ', '-')}/version/create`));
  await context.close();
});

for (const [width, colorScheme] of [
  [390, 'light'],
  [1280, 'dark'],
] as const)
  test(`the pages that create are accessible at ${width}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      baseURL: baseURL!,
    });
    const page = await context.newPage();
    await newcomer(page, true);
    for (const what of ['projects', 'collections']) {
      await page.goto(`/dashboard/${what}/new`);
      expect(await axeFinds(page)).toEqual([]);
    }
    await context.close();
  });
