import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';

const password = 'Seven flat stones in a row';
const headers = { 'sec-fetch-site': 'same-origin' };
const unique = () => Math.random().toString(36).slice(2, 9);

/** A new account with projects of these names, signed in. */
async function creator(page: Page, names: readonly string[]): Promise<string> {
  const username = `fern-${unique()}`;
  await cairn(
    'user',
    'create',
    '--username',
    username,
    '--email',
    `${username}@example.test`,
    '--password',
    password,
  );
  const data = { username, password };
  expect((await page.request.post('/_internal/auth/sign-in', { data })).status()).toBe(200);
  for (const name of names) {
    const project = {
      type: 'mod',
      name,
      slug: `${name.toLowerCase()}-${unique()}`,
      summary: 'Stones in rows',
    };
    expect((await page.request.post('/_internal/create/project', { headers, data: project })).status()).toBe(
      200,
    );
  }
  return username;
}

test('links and tags of several projects are edited together, after a preview', async ({ page }) => {
  await creator(page, ['Basalt', 'Granite', 'Slate']);
  await page.goto('/dashboard/projects');
  const edit = page.getByRole('button', { name: 'Edit together' });
  await expect(edit).toBeDisabled();
  await page.getByRole('checkbox', { name: /^Select .*Basalt/ }).check();
  await page.getByRole('checkbox', { name: /^Select .*Slate/ }).check();
  await expect(page.getByText('2 selected')).toBeVisible();
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
  await preview.getByRole('button', { name: 'Apply to 2 projects' }).click();
  await expect(page.getByText('2 projects updated')).toBeVisible();

  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await edit.click();
  await page.getByLabel('Source code').fill('https://git.example/stones');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await expect(preview.getByText('Nothing changes here.')).toHaveCount(2);
  await expect(preview.getByRole('button', { name: 'Apply to 1 project' })).toBeVisible();
});

test('the list is searched, filtered and sorted in its address', async ({ page }) => {
  await creator(page, ['Basalt', 'Granite', 'Slate']);
  await page.goto('/dashboard/projects?s=name');
  const names = page.getByRole('row').getByRole('link', { name: /^(Basalt|Granite|Slate)$/ });
  await expect(names).toHaveText(['Basalt', 'Granite', 'Slate']);
  await page.getByRole('searchbox', { name: 'Search your projects' }).fill('gran');
  await page.keyboard.press('Enter');
  await expect(names).toHaveText(['Granite']);
  await page.goto('/dashboard/projects');
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Draft');
  await expect(page).toHaveURL(/status=draft/);
  await expect(names).toHaveCount(3);
  await page.getByRole('combobox', { name: 'Type' }).selectOption('Shaders');
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible();
});

test('collections and organizations of a person are lists of their own', async ({ page }) => {
  await creator(page, []);
  await page.goto('/dashboard/organizations');
  await expect(page.getByRole('heading', { name: 'No organizations yet' })).toBeVisible();
  await page.goto('/dashboard/projects');
  await expect(page.getByRole('heading', { name: 'No projects yet' })).toBeVisible();
  for (const name of ['Slow evenings', 'Winter']) {
    const answer = await page.request.post('/_internal/create/collection', {
      headers,
      data: { name, status: 'private' },
    });
    expect(answer.status()).toBe(200);
  }
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'Collections' })
    .click();
  await expect(page.getByRole('link', { name: 'Followed projects' })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search your collections' }).fill('wint');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Winter' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Slow evenings' })).toHaveCount(0);
});

for (const [width, colorScheme] of [
  [390, 'light'],
  [1280, 'dark'],
] as const)
  test(`the dashboard is accessible and fits at ${width}`, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      baseURL: baseURL!,
    });
    const page = await context.newPage();
    await creator(page, ['Basalt', 'Granite']);
    for (const name of ['Slow evenings', 'Winter'])
      await page.request.post('/_internal/create/collection', { headers, data: { name, status: 'private' } });
    for (const path of ['projects', 'collections', 'organizations']) {
      await page.goto(`/dashboard/${path}`);
      if (path === 'projects') await page.getByRole('checkbox', { name: /^Select .*Basalt/ }).check();
      expect(await axeFinds(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
    await page.goto('/dashboard/projects');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('button', { name: 'Edit together' }).click();
    await page.getByLabel('Wiki').fill('https://wiki.example/');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await expect(page.getByRole('heading', { name: 'This will change' })).toBeVisible();
    expect(await axeFinds(page)).toEqual([]);
    await context.close();
  });
