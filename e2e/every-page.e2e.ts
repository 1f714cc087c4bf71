import { expect, test } from 'playwright/test';
import { openDemoSession } from '../bench/pages/demo-session.ts';
import { axeInEveryTheme } from './axe.ts';
import { unreachable, untranslated } from './page-checks.ts';
import { inLanguage, pages } from './pages.ts';

// the elements in the message are enough: traces of forty pages with animations take longer than the checks
test.use({ trace: 'off', contextOptions: { reducedMotion: 'reduce' } });

test.describe.configure({ mode: 'parallel' }); // read-only tests

for (const { path, heading, signed_in, staff } of pages) {
  test.describe(() => {
    if (signed_in) test.beforeEach(({ page }) => openDemoSession(page, signed_in === 'admin' ? 0 : 2));
    if (staff) test.beforeEach(({ page }) => openDemoSession(page, 1));

    // one test, because a page and its process cost as much as a check
    test(`${path} is accessible, translated into every language and fits 320 pixels`, async ({ page }) => {
      const said: string[] = [];
      page.on('console', (message) => {
        const expected = /status of 404|Service Worker registration blocked by Playwright/.test(
          message.text(),
        );
        if (['error', 'warning'].includes(message.type()) && !expected) said.push(message.text());
      });
      page.on('pageerror', (error) => said.push(error.message));
      await page.goto(path);
      await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeAttached();
      expect(await axeInEveryTheme(page)).toEqual([]);
      expect(await page.evaluate(unreachable), 'what only a pointer reaches').toEqual([]);
      expect(said).toEqual([]);

      await page.setViewportSize({ width: 320, height: 640 });
      const width = () => page.evaluate(() => document.documentElement.scrollWidth);
      await page.goto(path);
      expect(await width(), 'English').toBe(320);
      await page.setViewportSize({ width: 640, height: 400 }); // 1280 pixels at 200 %
      expect(await width(), 'at twice the size').toBe(640);
      await page.setViewportSize({ width: 320, height: 640 });

      await page.goto(inLanguage(path, 'en-XA'));
      await expect(page.getByRole('main')).toBeVisible();
      // the texts of charts come with their numbers
      await expect(page.locator('.analytics[aria-busy=true]')).toHaveCount(0);
      expect(await page.evaluate(untranslated), 'texts outside the catalogue').toEqual([]);
      expect(await width(), 'long words').toBe(320);

      await page.goto(inLanguage(path, 'ar-XB'));
      expect(await width(), 'right to left').toBe(320);
      expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
      const brand = await page.getByText('Cairn', { exact: true }).first().boundingBox();
      expect(brand!.x + brand!.width / 2, 'the logo stands at the right').toBeGreaterThan(160);
    });
  });
}

test('links keep the language of the address', async ({ page }) => {
  await page.goto(inLanguage('/', 'en-XA'));
  const links = await page.getByRole('link').evaluateAll((all) =>
    all
      .map((link) => (link as HTMLAnchorElement).href)
      .filter((href) => new URL(href).origin === location.origin)
      .filter((href) => !/^\/(v2\/|license$)/.test(new URL(href).pathname) && !href.includes('#')),
  );
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((href) => !href.includes('hl=en-XA'))).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});
