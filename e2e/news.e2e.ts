import { expect, type Page, test } from 'playwright/test';

const article = '/news/article/how-search-works';
const main = (page: Page) => page.getByRole('main');

test('a reader goes from the bar to an article, through its contents and on to the next', async ({
  page,
}) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'News' }).click();
  await expect(main(page).getByRole('heading', { name: 'News', level: 1 })).toBeVisible();
  expect(await main(page).getByRole('article').count()).toBeGreaterThanOrEqual(10);

  await page.getByRole('navigation', { name: 'Topics' }).getByRole('link', { name: 'Search' }).click();
  await expect(page).toHaveURL('/news/topic/search');
  await main(page).getByRole('link', { name: 'How search works' }).click();
  await expect(page).toHaveURL(article);
  await expect(main(page).getByText('The Cairn team')).toBeVisible();
  await expect(main(page).getByRole('img', { name: /dotted trail/ })).toHaveJSProperty('complete', true);

  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'What we compared it with' }).click();
  await expect(main(page).getByRole('heading', { name: 'What we compared it with' })).toBeInViewport();
  const more = page.getByRole('navigation', { name: 'More articles' });
  await more.getByRole('link', { name: /^Earlier/ }).click();
  await expect(page).toHaveURL(/\/news\/article\/(?!how-search-works)/);
});

test('related articles share a topic, and what proves the text is named', async ({ page }) => {
  await page.goto(article);
  await expect(
    page
      .getByRole('region', { name: 'Related articles' })
      .getByRole('link', { name: 'How pages are served' }),
  ).toBeVisible();
  await page.getByText('What proves this').click();
  await expect(main(page).getByText('bench/search.ts', { exact: true })).toBeVisible();
});

test('an address is copied, mailed, and followed by feed readers', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(article);
  await main(page).getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(baseURL + article);
  await expect(main(page).getByRole('link', { name: 'Send by email' })).toHaveAttribute(
    'href',
    `mailto:?subject=How%20search%20works&body=${baseURL}${article}`,
  );
  const feeds = page.locator(
    'head link[rel=alternate][type*="feed"], head link[rel=alternate][type*="rss"], head link[rel=alternate][type*="atom"]',
  );
  const paths = await feeds.evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  expect(paths).toEqual(['/news/feed.atom', '/news/feed.rss', '/news/feed.json']);
});

test('feeds have the addresses of this site, and their own types', async ({ request, baseURL }) => {
  const types = {
    atom: 'application/atom+xml',
    rss: 'application/rss+xml',
    json: 'application/feed+json',
  };
  for (const [ending, type] of Object.entries(types)) {
    const answer = await request.get(`/news/feed.${ending}`);
    expect([ending, answer.status(), answer.headers()['content-type']]).toEqual([
      ending,
      200,
      `${type}; charset=utf-8`,
    ]);
    const text = await answer.text();
    expect(text).toContain(`${baseURL}${article}`);
    expect(text).not.toMatch(/\{\{[A-Z_]+\}\}/);
  }
  const feed = await (await request.get('/news/feed.json')).json();
  expect(feed.items.length).toBeGreaterThanOrEqual(10);
});

test('previews of links get a picture, and programs the facts', async ({ page, request, baseURL }) => {
  await page.goto(article);
  const meta = (name: string) => page.locator(`head meta[property="${name}"]`).getAttribute('content');
  expect(await meta('og:type')).toBe('article');
  expect(await meta('article:published_time')).toBe('2026-11-22');
  const picture = await meta('og:image');
  expect(picture).toMatch(new RegExp(`^${baseURL}/_astro/.*\\.png$`));
  const answer = await request.get(picture!);
  expect(answer.headers()['content-type']).toBe('image/png');
  const data = await page.locator('script[type="application/ld+json"]').textContent();
  const about = JSON.parse(data!)['@graph'].find((one: { '@type': string }) => one['@type'] === 'Article');
  expect(about).toMatchObject({
    headline: 'How search works',
    datePublished: '2026-11-22',
    image: picture,
    url: baseURL + article,
  });
  const payload = await (await request.get(`${article}/_payload.json`)).json();
  expect(payload).toMatchObject({ article: { slug: 'how-search-works', authors: [{ id: 'cairn-team' }] } });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('topics are pages, and nothing is offered that needs a script', async ({ page }) => {
    await page.goto('/news');
    await page
      .getByRole('navigation', { name: 'Topics' })
      .getByRole('link', { name: 'Hosting', exact: true })
      .click();
    await expect(main(page).getByRole('heading', { name: 'News: Hosting' })).toBeVisible();
    await main(page).getByRole('link', { name: 'How hosting works' }).click();
    await expect(main(page).getByRole('link', { name: 'Send by email' })).toBeVisible();
    await expect(main(page).getByRole('button', { name: 'Copy link' })).toBeHidden();
  });
});

test('in Arabic the frame is Arabic, and the text is marked as English', async ({ page }) => {
  await page.goto(`${article}?hl=ar-SA`);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(main(page).getByText('هذا النص متاح بالإنجليزية فقط.')).toBeVisible();
  const title = main(page).getByRole('heading', { name: 'How search works', level: 1 });
  await expect(title).toHaveAttribute('lang', 'en-US');
  await expect(title).toHaveAttribute('dir', 'ltr');
});

test('on paper there is the article and nothing else', async ({ page }) => {
  await page.goto(article);
  await page.emulateMedia({ media: 'print' });
  await expect(main(page).getByRole('heading', { name: 'What it understands' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Related articles' })).toBeHidden();
});

test('an unknown article is a page that was not found', async ({ page }) => {
  const answer = await page.goto('/news/article/never-written');
  expect(answer?.status()).toBe(404);
});
