import { expect, type Page, test } from 'playwright/test';
import { demoAccounts, demoPassword } from '../db/demo/demo.ts';
import { axeFinds } from './axe.ts';

interface Hit {
  project_id: string;
  title: string;
  downloads: number;
}

async function signIn(page: Page, account: number, redirect: string): Promise<void> {
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(redirect)}`);
  await page.getByLabel('Email or username').fill(demoAccounts[account]!);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(redirect);
}

/** Sends a request from the page, with its cookies; gives the JSON of the answer. */
const send = async <T>(page: Page, method: string, path: string, json: unknown): Promise<T> =>
  (await page.evaluate(
    async ([method, path, body]) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(path!, { method: method!, headers, body: body! });
      return await answer.json().catch(() => null);
    },
    [method, path, JSON.stringify(json)],
  )) as T;

/** Four projects of each of two types, most downloaded first. */
async function some(page: Page): Promise<{ mods: Hit[]; shaders: Hit[] }> {
  const hits = async (type: string) => {
    const facets = encodeURIComponent(JSON.stringify([[`project_types=${type}`]]));
    const answer = await page.request.get(`/v2/search?index=downloads&limit=4&facets=${facets}`);
    return ((await answer.json()) as { hits: Hit[] }).hits;
  };
  return { mods: await hits('mod'), shaders: await hits('shader') };
}

/** The titles of the list, without the authors beside them. */
async function titles(page: Page): Promise<string[]> {
  const rows = await page.getByRole('listitem').getByRole('heading').all();
  return await Promise.all(rows.map((row) => row.getByRole('link').first().innerText()));
}

test('a collection is public: in its own order, by type, sorted, searched', async ({ page, browser }) => {
  await signIn(page, 2, '/');
  const { mods, shaders } = await some(page);
  const arranged = [mods[2]!, shaders[0]!, mods[0]!];
  const { id } = await send<{ id: string }>(page, 'POST', '/v3/collection', {
    name: 'Slow evenings',
    description: 'For when the fire is lit.\nNothing needs to be won.',
    projects: arranged.map(({ project_id }) => project_id),
  });
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(`/collection/${id}`);
  await expect(visitor).toHaveTitle('Slow evenings - Collection - Cairn');
  await expect(visitor.getByRole('heading', { name: 'Slow evenings', level: 1 })).toBeVisible();
  await expect(visitor.getByText('3 projects').first()).toBeVisible();
  await expect(visitor.getByRole('complementary').getByText(demoAccounts[2]!)).toBeVisible();
  expect(await titles(visitor)).toEqual(arranged.map(({ title }) => title));

  await visitor.getByRole('combobox', { name: 'Sort' }).selectOption('Downloads');
  await expect(visitor).toHaveURL(/[?&]s=downloads/);
  const sorted = [...arranged].sort((a, b) => b.downloads - a.downloads);
  await expect.poll(() => titles(visitor)).toEqual(sorted.map(({ title }) => title));
  await visitor.getByRole('link', { name: 'Shaders 1' }).click();
  await expect(visitor).toHaveURL(`/collection/${id}/shaders`);
  await expect.poll(() => titles(visitor)).toEqual([shaders[0]!.title]);
  await visitor.getByRole('searchbox', { name: 'Search this collection' }).fill('nothing like this');
  await visitor.keyboard.press('Enter');
  await expect(visitor.getByRole('heading', { name: 'No matches' })).toBeVisible();

  await visitor.goto(`/collection/${id}?s=nonsense&page=999&page=x&what=ever`);
  await expect(visitor).toHaveURL(`/collection/${id}`);
  expect(await titles(visitor)).toEqual(arranged.map(({ title }) => title));
  expect((await visitor.goto(`/collection/${id}/nothing`))?.status()).toBe(404);
  await context.close();
});

test('an edit is visible at once, and a private collection exists for its owner only', async ({
  page,
  browser,
}) => {
  await signIn(page, 3, '/');
  const { mods } = await some(page);
  const { id } = await send<{ id: string }>(page, 'POST', '/v3/collection', {
    name: 'For later',
    projects: [mods[0]!.project_id],
  });
  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.goto(`/collection/${id}`);
  await expect(visitor.getByRole('heading', { name: 'For later', level: 1 })).toBeVisible();
  await send(page, 'PATCH', `/v3/collection/${id}`, { name: 'For much later' });
  await expect(async () => {
    await visitor.reload();
    await expect(visitor.getByRole('heading', { name: 'For much later', level: 1 })).toBeVisible({
      timeout: 500,
    });
  }).toPass();

  await send(page, 'PATCH', `/v3/collection/${id}`, { status: 'private' });
  await expect(async () => {
    expect((await visitor.goto(`/collection/${id}`))?.status()).toBe(404);
  }).toPass();
  await expect(visitor.getByRole('heading', { name: 'Collection not found', level: 1 })).toBeVisible();
  await expect(visitor.getByText('It’s private or was deleted.')).toBeVisible();
  await page.goto(`/collection/${id}`);
  await expect(page.getByRole('heading', { name: 'For much later', level: 1 })).toBeVisible();
  await expect(page.getByText('Private', { exact: true })).toBeVisible();
  await context.close();
});

test('followed projects are a personal page', async ({ page }) => {
  await page.goto('/collection/following');
  await expect(page).toHaveURL('/auth/sign-in?redirect=%2Fcollection%2Ffollowing');
  await signIn(page, 3, '/collection/following');
  await expect(page.getByRole('heading', { name: 'Followed projects', level: 1 })).toBeVisible();
  const { shaders } = await some(page);
  await send(page, 'POST', `/v2/project/${shaders[3]!.project_id}/follow`, {});
  await page.reload();
  await expect(page.getByRole('link', { name: shaders[3]!.title, exact: true })).toBeVisible();
});

for (const width of [390, 1280])
  test(`its owner edits a collection at ${width}: texts, order, notes, and back again`, async ({
    page,
    browser,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    await signIn(page, 3, '/');
    const { mods } = await some(page);
    const { id } = await send<{ id: string }>(page, 'POST', '/v3/collection', {
      name: `Rainy days ${width}`,
      projects: mods.map(({ project_id }) => project_id),
    });
    await page.goto(`/collection/${id}`);
    await page.getByRole('link', { name: 'Edit collection' }).click();
    await expect(page).toHaveURL(`/collection/${id}/edit`);
    expect(await axeFinds(page)).toEqual([]);
    const [first, second, third, last] = mods.map(({ title }) => title);
    await page.getByRole('button', { name: `Move ${last}`, exact: true }).focus();
    await page.keyboard.press('Home');
    await page.getByRole('textbox', { name: `Note about ${last}` }).fill('Start here, with tea.');
    await page.getByRole('button', { name: `Remove ${first}` }).click();
    await page.getByRole('button', { name: `Remove ${second}` }).click();
    await page.getByRole('button', { name: `Keep ${second}` }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page).toHaveURL(/saved=1/);
    const context = await browser.newContext();
    const visitor = await context.newPage();
    await visitor.goto(`/collection/${id}`);
    expect(await titles(visitor)).toEqual([last, second, third]);
    await expect(visitor.getByText('Start here, with tea.')).toBeVisible();
    await expect(visitor.getByRole('link', { name: 'Edit collection' })).toBeHidden();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('listitem').getByRole('textbox')).toHaveCount(4);
    await expect(async () => {
      await visitor.reload();
      expect(await titles(visitor)).toEqual([first, second, third, last]);
    }).toPass();

    await page.getByText('Delete collection').click();
    await page.getByRole('button', { name: 'Delete forever' }).click();
    await expect(page.getByText('Collection deleted')).toBeVisible();
    expect((await page.goto(`/collection/${id}`))?.status()).toBe(404);
    await context.close();
  });

test('nobody else opens the page that edits a collection', async ({ page, browser }) => {
  await signIn(page, 3, '/');
  const { id } = await send<{ id: string }>(page, 'POST', '/v3/collection', { name: 'Mine alone' });
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(`/collection/${id}/edit`);
  await expect(other).toHaveURL(/\/auth\/sign-in/);
  await signIn(other, 2, '/');
  expect((await other.goto(`/collection/${id}/edit`))?.status()).toBe(404);
  await context.close();
});
