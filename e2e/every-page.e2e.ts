import { expect, type Page, test } from 'playwright/test';
import { signInAs } from './accounts.ts';
import { axeFindsOnPage, axeInEveryTheme } from './axe.ts';
import { budgetOf, overBudget } from './over-budget.ts';
import { roomAboveHeading, unreachable, untranslated } from './page-checks.ts';
import { inLanguage, pages, readerOf, themes } from './pages.ts';
import { site } from './product.ts';

/**
 * Every page is loaded twice: in English at 1280 pixels, which then become 640 (1280 at 200 %) and 320; and mirrored, with
 * words that are a third longer, at 320. axe runs once for each page, with all rules. Its theme and width follow from the
 * place of the page in the list: the theme changes from page to page, the width after every four pages, so that each
 * twelve neighbours have all twelve looks. What the themes do to colors is compared by `site/platform/ui/contrast.test.ts`; all
 * of them are looked at in the component gallery.
 */
const widths = [1280, 640, 320] as const;
const lookOf = (place: number) => ({
  theme: themes[place % themes.length]!,
  width: widths[Math.floor(place / themes.length) % widths.length]!,
});

// the elements in the message are enough: traces of forty pages with animations take longer than the checks
test.use({
  trace: 'off',
  contextOptions: { reducedMotion: 'reduce' },
  viewport: { width: 1280, height: 720 },
});

test.describe.configure({ mode: 'parallel' }); // read-only tests

/** Collects what the page complains about. */
function complaintsOf(page: Page): string[] {
  const said: string[] = [];
  page.on('console', (message) => {
    const expected = /status of 404|Service Worker registration blocked by Playwright/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !expected) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(error.message));
  return said;
}

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const [place, kind] of pages.entries()) {
  const { path, heading } = kind;
  const { theme, width } = lookOf(place);
  // one test, because a page and its process cost as much as a check
  test(`${path} is accessible (${theme}, ${width}), light and fits 320 pixels, mirrored too`, async ({
    page,
  }) => {
    const reader = readerOf(kind);
    if (reader) await signInAs(page, reader);
    await page.context().addCookies([{ name: 'color-mode', value: theme, url: site }]);
    const complaints = complaintsOf(page);
    const budget = budgetOf(path);
    if (budget) expect(await overBudget(page, budget)).toEqual([]);
    else await page.goto(path);
    await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeAttached();
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
    expect(await page.evaluate(roomAboveHeading), 'space above the heading').toBeGreaterThanOrEqual(8);
    expect(await page.evaluate(unreachable), 'what only a pointer reaches').toEqual([]);
    for (const next of widths) {
      await page.setViewportSize({ width: next, height: 720 });
      // charts follow their box a frame later
      if (next < 1280) await expect.poll(() => widthOf(page), `English at ${next}`).toBe(next);
      if (next === width) expect(await axeFindsOnPage(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);

    await page.goto(inLanguage(path, 'ar-XB'));
    await expect(page.getByRole('main')).toBeVisible();
    // the texts of charts come with their numbers
    await expect(page.locator('.analytics[aria-busy=true]')).toHaveCount(0);
    expect(await page.evaluate(untranslated, undefined), 'texts outside the catalogue').toEqual([]);
    await expect.poll(() => widthOf(page), 'long words from right to left').toBe(320);
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl');
    const brand = await page.getByText('Cairn', { exact: true }).first().boundingBox();
    expect(brand!.x + brand!.width / 2, 'the logo stands at the right').toBeGreaterThan(160);
  });
}

test('every component is accessible in every theme', async ({ page }) => {
  await page.goto('/dev/ui');
  expect(await axeInEveryTheme(page)).toEqual([]);
});
