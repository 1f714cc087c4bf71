import type { Page } from 'playwright/test';
import { pages } from './pages.ts';

/** A screen to photograph, initially or after an action. */
export interface Scene {
  name: string;
  path: string;
  /** Only themes and viewports whose name begins like this; all by default. */
  only?: 'desktop' | 'phone';
  /** An action before the screenshot, which then shows the window instead of the whole page. */
  act?: (page: Page) => Promise<unknown>;
}

/** Overlays on a page: found by selector, since texts change with the language. */
const opened: Scene[] = [
  {
    name: 'download dialog',
    path: '/mod/lanternroot#download',
    act: (page) => page.locator('dialog[open]').waitFor(),
  },
  {
    name: 'picture, large',
    path: '/mod/lanternroot/gallery#picture-2',
    act: (page) => page.locator('dialog.lightbox[open] img[data-full]').waitFor(),
  },
  {
    name: 'filters on a phone',
    path: '/mods?f=mobs&g=fabric',
    only: 'phone',
    act: async (page) => {
      await page.locator('form[data-live]').waitFor();
      await page.locator('[popovertarget=filters]').filter({ visible: true }).click();
    },
  },
  {
    name: 'suggestions',
    path: '/mod/lanternroot',
    only: 'desktop',
    act: async (page) => {
      await page.locator('header [data-find]').pressSequentially('lan');
      await page.locator('header [role=option]').first().waitFor();
    },
  },
  {
    name: 'discover menu',
    path: '/',
    only: 'desktop',
    act: (page) => page.locator('header nav summary').first().click(),
  },
  {
    name: 'toasts',
    path: '/dev/ui',
    act: async (page) => {
      for (const type of ['info', 'success', 'warning', 'error'])
        await page.locator(`[data-say=${type}]`).click();
      await page.locator('[data-say=error]').click();
    },
  },
  { name: 'dialog', path: '/dev/ui', act: (page) => page.locator('[data-opens=ui-restore]').click() },
  { name: 'sheet', path: '/dev/ui', act: (page) => page.locator('[data-opens=ui-sheet]').click() },
];

/** Every screen once, then the overlays. */
export const scenes: readonly Scene[] = [...pages.map(({ path }) => ({ name: path, path })), ...opened];
