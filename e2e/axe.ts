import axe from 'axe-core';
import type { Page } from 'playwright/test';
import { themes } from './pages.ts';

interface Asked {
  /** Only what is inside this selector. */
  within?: string | undefined;
  /** Only these rules; all of them, and the one for the size of targets, otherwise. */
  rules?: string[] | undefined;
}

/**
 * What axe finds wrong on the page as it stands: a line per rule, with the elements. It runs inside the page, which is
 * several times as quick as the builder of its package; our pages have no frames of ours to look into.
 */
export async function axeFinds(page: Page, { within, rules }: Asked = {}): Promise<string[][]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return await page.evaluate(
    async ([selector, only]) => {
      const inside = globalThis as unknown as { axe: typeof axe };
      const { violations } = await inside.axe.run(selector ?? document, {
        ...(only && { runOnly: only }),
        rules: only ? {} : { 'target-size': { enabled: true } }, // WCAG 2.2, off unless asked for
        resultTypes: ['violations'],
        preload: false,
        iframes: false,
      });
      return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
    },
    [within, rules] as const,
  );
}

/** What axe finds in all four themes, which change nothing but colours: everything in the first, contrasts in the others. */
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
 * Shows a theme as if it had been chosen; settles when nothing moves any more but what always moves. It looks again
 * and again: the `finished` of a transition that another one replaced may stay open for ever.
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
