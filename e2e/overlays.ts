import type { Scene } from './scene.ts';

/** Overlays on a page: found by selector, since texts change with the language. */
export const overlays: readonly Omit<Scene, 'reader' | 'state'>[] = [
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
