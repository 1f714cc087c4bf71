import { expect, type Locator, type Page, test } from 'playwright/test';
import { signInAs } from './accounts.ts';
import { themes } from './pages.ts';

const row_px = 34;

/** What a row of an open menu looks like, in pixels from the menu's start edge. */
interface Row {
  text: string;
  height: number;
  icon: number | null;
  /** Whether icon and words stand on one line. */
  aligned: boolean;
  background: string;
  color: string;
}

/** The visible links and buttons of an open menu. */
const rowsOf = (menu: Locator): Promise<Row[]> =>
  menu.evaluate((list) => {
    const start = list.getBoundingClientRect().left;
    return [...list.querySelectorAll<HTMLElement>('a, button')]
      .filter((row) => row.offsetParent !== null)
      .map((row) => {
        const icon = row.querySelector('svg')?.getBoundingClientRect();
        const range = document.createRange();
        range.selectNodeContents(row);
        const words = range.getBoundingClientRect();
        const middle = (box: DOMRect) => box.top + box.height / 2;
        return {
          text: row.textContent!.trim(),
          height: row.getBoundingClientRect().height,
          icon: icon ? icon.left - start : null,
          aligned: !icon || Math.abs(middle(icon) - middle(words)) < 3,
          background: getComputedStyle(list).backgroundColor,
          color: getComputedStyle(row).color,
        };
      });
  });

type Menu = [button: (page: Page) => Locator, entries: string[]];

/** Every menu: its page, its button, and the entries it must have. */
const menus: Record<string, Menu[]> = {
  '/': [
    [(page) => page.getByRole('banner').getByText('Discover'), ['Mods', 'Shaders']],
    [
      (page) => page.getByRole('banner').getByText('Staff', { exact: true }),
      ['Hosting', 'Notices to renters'],
    ],
    [
      (page) => page.getByRole('banner').locator('.account summary'),
      ['Your profile', 'Followed', 'Collections', 'Your servers', 'Settings', 'Sign out'],
    ],
  ],
  '/mod/lanternroot': [[(page) => page.getByRole('main').locator('summary[aria-label="More"]'), []]],
  '/user/mirelle': [[(page) => page.getByRole('main').locator('details[data-menu] > summary').first(), []]],
};

test('the rows of every menu line up in four themes, and keep their entries', async ({ page }) => {
  await signInAs(page, 'admin');
  for (const [path, ofPage] of Object.entries(menus)) {
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
    for (const [button, entries] of ofPage) {
      await button(page).click();
      const menu = page.locator('details[data-menu][open] .menu');
      await expect(menu).toBeVisible();
      for (const theme of themes) {
        await page.evaluate((name) => {
          document.documentElement.dataset.theme = name;
        }, theme);
        const rows = await rowsOf(menu);
        expect(rows.map(({ text }) => text)).toEqual(expect.arrayContaining(entries));
        expect(rows.length, path).toBeGreaterThan(1);
        const [first] = rows;
        for (const row of rows) {
          const place = `${theme} ${path} ${row.text}`;
          expect(Math.abs(row.height - row_px), place).toBeLessThan(1.5);
          expect([row.icon, row.aligned], place).toEqual([first!.icon, true]);
          expect(row.color, place).not.toBe(row.background);
        }
      }
      await page.keyboard.press('Escape');
      await expect(menu).toHaveCount(0);
    }
  }
});

test('only staff see the staff menu, and each role only its own pages, also when an answer got lost', async ({
  page,
}) => {
  const staff = page.getByRole('banner').getByText('Staff', { exact: true });
  await signInAs(page, 'player');
  await page.goto('/mods');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await expect(staff).toBeHidden();
  await page.getByRole('banner').locator('.account summary').click();
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-viewer', 'nobody');
  await signInAs(page, 'moderator');
  // the first answer about the user is lost: it is asked for again
  const viewer = '**/_internal/viewer';
  const asked: string[] = [];
  await page.route(viewer, (route) =>
    asked.push(route.request().method()) === 1 ? route.abort() : route.continue(),
  );
  await page.goto('/mods');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  expect(asked).toHaveLength(2);
  await page.unroute(viewer);
  await staff.click();
  const menu = page.locator('details[data-menu][open] .menu');
  await expect(menu.getByRole('link', { name: 'Hosting' })).toBeHidden();
  await menu.getByRole('link', { name: 'Notices to renters' }).click();
  await expect(page).toHaveURL('/admin/servers/notices');
});
