import { expect, type Page, test } from 'playwright/test';

const article = '/news/article/how-search-works';
const main = (page: Page) => page.getByRole('main');

test('the address of an article is copied, and its contents lead to their section', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(article);
  await main(page).getByRole('button', { name: 'Copy link' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(baseURL + article);
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'What we compared it with' }).click();
  await expect(main(page).getByRole('heading', { name: 'What we compared it with' })).toBeInViewport();
});

test('on paper there is the article and nothing else', async ({ page }) => {
  await page.goto(article);
  await page.emulateMedia({ media: 'print' });
  await expect(main(page).getByRole('heading', { name: 'What it understands' })).toBeVisible();
  await expect(page.getByRole('banner')).toBeHidden();
  await expect(page.getByRole('region', { name: 'Related articles' })).toBeHidden();
});
