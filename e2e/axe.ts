import axe from 'axe-core';
import type { Page } from 'playwright/test';
import { themes } from './pages.ts';

/**
 * The axe violations on the page in its current state, or inside the selector `within`, by all rules, once transitions have
 * ended: a line per rule, with the elements. axe runs inside the page, which is several times faster than the builder of its
 * package; our pages have no frames to check.
 */
export async function axeFinds(
  page: Page,
  { within }: { within?: string | undefined } = {},
): Promise<string[][]> {
  await stillness(page);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(async (selector) => {
    const inside = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inside.axe.run(selector ?? document, {
      rules: { 'target-size': { enabled: true } }, // WCAG 2.2, off by default
      resultTypes: ['violations'],
      preload: false,
      iframes: false,
    });
    return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
  }, within);
}

/**
 * The axe violations in all four themes: for the component gallery, because pages are spread over the themes by
 * `every-page.e2e.ts` and the colors are compared by `site/ui/contrast.test.ts`.
 */
export async function axeInEveryTheme(page: Page, within?: string): Promise<string[][]> {
  const found: string[][] = [];
  for (const theme of themes) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    for (const violation of await axeFinds(page, { within })) found.push([theme, ...violation]);
  }
  return found;
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
