import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright/test';
import { themes } from './pages.ts';

/** Half as long as what the package gives as its source: each page reads it anew. */
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The axe violations in what a test brought about, once transitions have ended: a line per rule, with the elements. It looks
 * at the content and at open dialogs, or inside the selector `within`: name what is new there. The frame of pages and the
 * contrast of colors, which are half of the work, are left to `every-page.e2e.ts` and `site/platform/ui/contrast.test.ts`.
 */
export const axeFinds = (
  page: Page,
  { within = 'main, dialog[open]' }: { within?: string | undefined } = {},
): Promise<string[][]> => find(page, within);

/** The axe violations on a whole page by all rules, contrast too: for `every-page.e2e.ts`. */
export const axeFindsOnPage = (page: Page): Promise<string[][]> => find(page, null);

/**
 * The same in all four themes: for the component gallery, because pages are spread over the themes by `every-page.e2e.ts` and
 * the colors are compared by `site/platform/ui/contrast.test.ts`.
 */
export async function axeInEveryTheme(page: Page): Promise<string[][]> {
  const found: string[][] = [];
  for (const theme of themes) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    for (const violation of await axeFindsOnPage(page)) found.push([theme, ...violation]);
  }
  return found;
}

/**
 * axe runs inside the page, which is several times faster than the builder of its package; our pages have no frames to check.
 * A whole page with contrast takes half a second of a processor, its content without contrast a quarter.
 */
async function find(page: Page, within: string | null): Promise<string[][]> {
  await stillness(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return await page.evaluate(async (selector) => {
    const inside = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inside.axe.run(selector ?? document, {
      // WCAG 2.2 is off by default
      rules: { 'target-size': { enabled: true }, 'color-contrast': { enabled: selector === null } },
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
    });
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  }, within);
}

/**
 * Waits until no brief animation runs: half of a transition has colors of its own. It polls, because the `finished`
 * promise of a transition that was replaced may never settle; the time line of a toast runs for half a minute and more.
 */
async function stillness(page: Page): Promise<void> {
  await page.waitForFunction((brief_ms) => {
    const isBrief = (one: Animation) => Number(one.effect?.getComputedTiming().endTime) <= brief_ms;
    return !document.getAnimations().some((one) => one.playState === 'running' && isBrief(one));
  }, 2000);
}
