import { expect, type Page, test } from 'playwright/test';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';

const headers = { 'sec-fetch-site': 'same-origin' };
const unique = () => Math.random().toString(36).slice(2, 9);

/** A new account with projects of these names, signed in. */
async function creator(page: Page, names: readonly string[]): Promise<void> {
  await signInAs(page, (await newAccount('fern')).username);
  for (const name of names) {
    const slug = `${name.toLowerCase()}-${unique()}`;
    const data = { type: 'mod', name, slug, summary: 'Stones in rows' };
    const answer = await page.request.post('/_internal/create/project', { headers, data });
    expect(answer.status()).toBe(200);
  }
}

const fits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

test('links and tags of several projects are edited together, after a preview', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await creator(page, ['Basalt', 'Granite', 'Slate']);
  await page.goto('/dashboard/projects');
  const edit = page.getByRole('button', { name: 'Edit selected' });
  await expect(edit).toBeDisabled();
  await page.getByRole('checkbox', { name: /^Select .*Basalt/ }).check();
  await page.getByRole('checkbox', { name: /^Select .*Slate/ }).check();
  await expect(page.getByText('2 selected')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await fits(page);
  await edit.click();
  await expect(page.getByRole('heading', { name: 'Edit 2 projects' })).toBeVisible();
  await page.getByLabel('Source code').fill('not an address');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(page.getByText('Enter a full URL that starts with https://.')).toBeVisible();
  await page.getByLabel('Source code').fill('https://git.example/stones');
  await page.getByText('Add tags').click();
  await page.getByRole('checkbox', { name: 'Storage' }).check();
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const preview = page.getByRole('region', { name: 'This will change' });
  await expect(preview.getByText('https://git.example/stones')).toHaveCount(2);
  await expect(preview.getByText('Storage')).toHaveCount(2);
  expect(await axeFinds(page)).toEqual([]);
  await fits(page);
  await preview.getByRole('button', { name: 'Apply to 2 projects' }).click();
  await expect(page.getByText('2 projects updated')).toBeVisible();

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await edit.click();
  await page.getByLabel('Source code').fill('https://git.example/stones');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(preview.getByText('Nothing changes here.')).toHaveCount(2);
  await expect(preview.getByRole('button', { name: 'Apply to 1 project' })).toBeVisible();

  // the filters of the list apply by themselves
  await page.goto('/dashboard/projects');
  const names = page.getByRole('row').getByRole('link', { name: /^(Basalt|Granite|Slate)$/ });
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Draft');
  await expect(page).toHaveURL(/status=draft/);
  await expect(names).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Shaders');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
});
