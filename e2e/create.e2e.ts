import { expect, type Page, test } from 'playwright/test';
import { newAccount, signInAs } from './accounts.ts';

const unique = () => Math.random().toString(36).slice(2, 9);

async function newcomer(page: Page): Promise<void> {
  const { username } = await newAccount('fern');
  await signInAs(page, username);
}

test('a project is started from the menu; its address follows the name until it is edited', async ({
  page,
}) => {
  await newcomer(page);
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
  await page.getByRole('banner').locator('.account summary').click();
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
});

test('on a phone the account sheet leads there, and a collection is created by keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await newcomer(page);
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
