import { readdirSync } from 'node:fs';
import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

const daysOf = (product: string): string[] =>
  readdirSync(new URL(`../content/changelog/${product}/`, import.meta.url))
    .map((file) => file.replace('.md', ''))
    .sort()
    .toReversed();
const web = daysOf('web');
const total = web.length + daysOf('servers').length;
const newest = `/news/changelog/web/${web[0]}`;
const titles = (page: Page) => page.getByRole('main').getByRole('list').getByRole('heading', { level: 2 });

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the changelog is found from the foot, filtered by product, and each entry has a page', async ({
    page,
  }) => {
    await page.goto('/mods');
    await page.getByRole('contentinfo').getByRole('link', { name: 'Changelog' }).click();
    await expect(page).toHaveURL('/news/changelog');
    await expect(titles(page)).toHaveCount(total);
    await page.getByRole('navigation', { name: 'Products' }).getByRole('link', { name: 'Web' }).click();
    await expect(page).toHaveURL('/news/changelog/web');
    await expect(titles(page)).toHaveCount(web.length);
    await titles(page).first().getByRole('link').click();
    await expect(page).toHaveURL(newest);
    await expect(page.locator(`main time[datetime="${web[0]}"]`).first()).toHaveText(/\w+ \d+, \d{4}/);
  });

  test('entries of one product lead to each other', async ({ page }) => {
    await page.goto(newest);
    const others = page.getByRole('navigation', { name: 'Other entries' });
    await others.getByRole('link', { name: /Earlier/ }).click();
    await expect(page).toHaveURL(`/news/changelog/web/${web[1]}`);
    await others.getByRole('link', { name: /Later/ }).click();
    await expect(page).toHaveURL(newest);
    await expect(others.getByRole('link', { name: /Later/ })).toHaveCount(0);
  });
});

test('days are told relative to today, exactly in the tooltip', async ({ page }) => {
  await page.clock.setFixedTime(`${web[0]}T20:00:00Z`);
  await page.goto('/news/changelog/web');
  const [first, second] = [0, 1].map((at) => page.locator(`main time[datetime="${web[at]}"]`));
  await expect(first!).toHaveText('today');
  await expect(second!).not.toHaveText(/\d{4}/);
  await page.clock.setFixedTime('2030-01-01T00:00:00Z');
  await page.goto('/news/changelog/web');
  await expect(first!).toHaveText('3 years ago');
});

test('a product without entries says what will stand there', async ({ page }) => {
  await page.goto('/news/changelog/app');
  await expect(page.getByRole('heading', { name: 'No entries yet' })).toBeVisible();
  await expect(page.getByText('its changes will show up here')).toBeVisible();
});

test('other products and days are pages that do not exist', async ({ page, request }) => {
  for (const path of [
    'launcher',
    'web/2020-01-01',
    'web/2026-13-01',
    'app/2026-11-22',
    `Web/${web[0]}`,
    `web/${web[0]}/x`,
    'launcher.atom',
    'web/_payload',
  ])
    expect((await request.get(`/news/changelog/${path}`)).status(), path).toBe(404);
  await page.goto('/news/changelog/web/2020-01-01');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
});

test('elsewhere the frame is translated, and English texts are marked', async ({ page }) => {
  await page.goto(`${newest}?hl=ar-SA`);
  await expect(page.getByText('هذا النص متاح بالإنجليزية فقط.')).toHaveCount(1);
  await expect(page.locator('.prose')).toHaveAttribute('lang', 'en-US');
  await expect(page.locator('.prose')).toHaveAttribute('dir', 'ltr');
  await page.goto('/news/changelog?hl=de-DE');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Änderungen');
  await expect(page.getByText('Diesen Text gibt es nur auf Englisch.')).toHaveCount(1);
  expect(await axeFinds(page)).toEqual([]);
  await titles(page).first().getByRole('link').click();
  await expect(page).toHaveURL(`${newest}?hl=de-DE`);
});

test('programs get feeds and the data of each page', async ({ page, request, baseURL }) => {
  for (const [path, count] of [
    ['/news/changelog', total],
    ['/news/changelog/web', web.length],
    ['/news/changelog/app', 0],
  ] as const) {
    await page.goto(path);
    const address = `link[rel=alternate][type="application/atom+xml"][href="${path}.atom"]`;
    await expect(page.locator(address)).toHaveCount(1);
    const feed = await request.get(`${path}.atom`);
    expect(feed.headers()['content-type']).toBe('application/atom+xml; charset=utf-8');
    const text = await feed.text();
    expect(text.match(/<entry/g)?.length ?? 0, path).toBe(count);
    expect(text).toContain(`<link rel="self" type="application/atom+xml" href="${baseURL}${path}.atom"/>`);
    expect(text).not.toMatch(/\{\{|hl=/);
    const { entries } = (await (await request.get(`${path}/_payload.json`)).json()) as { entries: object[] };
    expect(entries).toHaveLength(count);
  }
  const { entry, previous, next } = await (await request.get(`${newest}/_payload.json`)).json();
  expect(entry).toEqual({
    product: 'web',
    date: web[0],
    title: expect.any(String),
    version: null,
    body: expect.stringContaining('## Added'),
  });
  expect([previous.date, next]).toEqual([web[1], null]);
});

test('an app gets up to four articles with a picture, from any origin', async ({ request, baseURL }) => {
  const answer = await request.get('/news/app.json');
  expect(answer.headers()['access-control-allow-origin']).toBe('*');
  const { articles } = await answer.json();
  expect(articles).toHaveLength(4);
  for (const { title, summary, date, link, thumbnail } of articles) {
    expect([title, summary, date]).toEqual([
      expect.any(String),
      expect.any(String),
      expect.stringMatching(/^\d{4}-/),
    ]);
    expect(link).toContain(`${baseURL}/news/article/`);
    expect((await request.get(link)).status()).toBe(200);
    expect((await request.get(thumbnail)).headers()['content-type']).toBe('image/png');
  }
});
