import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { signedInNewcomer } from './newcomer.ts';

interface Hit {
  project_id: string;
  title: string;
}

/** Four mods, most downloaded first. */
async function someMods(page: Page): Promise<Hit[]> {
  const facets = encodeURIComponent(JSON.stringify([['project_types=mod']]));
  const answer = await page.request.get(`/v2/search?index=downloads&limit=4&facets=${facets}`);
  return ((await answer.json()) as { hits: Hit[] }).hits;
}

/** The titles of the list, without the authors beside them. */
async function titles(page: Page): Promise<string[]> {
  const rows = await page.getByRole('listitem').getByRole('heading').all();
  return await Promise.all(rows.map((row) => row.getByRole('link').first().innerText()));
}

test('its owner edits a collection on a phone: texts, order, notes, and back again', async ({
  page,
  browser,
}) => {
  await page.setViewportSize({ width: 390, height: 900 });
  const { token } = await signedInNewcomer(page);
  const mods = await someMods(page);
  const made = await page.request.post('/v3/collection', {
    headers: { authorization: token },
    data: { name: 'Rainy days', projects: mods.map(({ project_id }) => project_id) },
  });
  const { id } = (await made.json()) as { id: string };
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
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  const visitor = await browser.newPage();
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
  await visitor.close();
});
