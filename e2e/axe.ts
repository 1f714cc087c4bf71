import axe from 'axe-core';
import type { Page } from 'playwright/test';
import { themes } from './pages.ts';

interface Asked {
  /** Check only inside this selector. */
  within?: string | undefined;
  /** Only these rules; by default all, plus the target size rule. */
  rules?: string[] | undefined;
}

/**
 * The axe violations on the page in its current state: a line per rule, with the elements. axe runs inside the page,
 * which is several times faster than the builder of its package; our pages have no frames to check.
 */
export async function axeFinds(page: Page, { within, rules }: Asked = {}): Promise<string[][]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(
    async ([selector, only]) => {
      const inside = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inside.axe.run(selector ?? document, {
        ...(only && { runOnly: only }),
        rules: only ? {} : { 'target-size': { enabled: true } }, // WCAG 2.2, off by default
        resultTypes: ['violations'],
        preload: false,
        iframes: false,
      });
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    },
    [within, rules] as const,
  );
}

/**
 * The axe violations in all four themes, which differ in colors only: all rules in the first, contrast in the others.
 */
export async function axeInEveryTheme(page: Page, within?: string): Promise<string[][]> {
  const found: string[][] = [];
  for (const theme of themes) {
    await showTheme(page, theme);
    const rules = theme === themes[0] ? undefined : ['color-contrast'];
    for (const violation of await axeFinds(page, { within, rules })) found.push([theme, ...violation]);
  }
  return found;
}

/**
 * Switches to a theme; resolves when no animation runs except infinite ones. It polls: the `finished` promise of a
 * transition that was replaced may never settle.
 */
async function showTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => {
    document.documentElement.dataset.theme = name;
  }, theme);
  await page.waitForFunction(() => {
    const ends = (one: Animation) => one.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
    return !document.getAnimations().some((one) => one.playState === 'running' && ends(one));
  });
}
