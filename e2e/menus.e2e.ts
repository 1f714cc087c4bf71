import { expect, type Locator, type Page, test } from 'playwright/test';
import { demoPassword } from '../db/demo/demo.ts';

const themes = ['dark', 'light', 'oled', 'retro'];
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

async function signIn(page: Page, username: string): Promise<void> {
  await page.goto('/auth/sign-in');
  await page.getByLabel('Email or username').fill(username);
  await page.getByLabel('Password').fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/dashboard');
}

/** Every menu: its page, its button, and the entries it must have. */
const menus: Array<[path: string, button: (page: Page) => Locator, entries: string[]]> = [
  ['/', (page) => page.getByRole('banner').getByText('Discover'), ['Mods', 'Shaders']],
  ['/', (page) => page.getByRole('banner').getByText('Staff', { exact: true }), ['Hosting', 'Notices']],
  [
    '/',
    (page) => page.getByRole('banner').locator('.account summary'),
    ['Your profile', 'Followed', 'Collections', 'Your servers', 'Settings', 'Sign out'],
  ],
  ['/mod/lanternroot', (page) => page.getByRole('main').locator('summary[aria-label="More"]'), []],
  ['/user/mirelle', (page) => page.getByRole('main').locator('details[data-menu] > summary').first(), []],
];

test('the rows of every menu line up in four themes, and keep their entries', async ({
  page,
  context,
  baseURL,
}) => {
  await signIn(page, 'admin');
  for (const theme of themes) {
    await context.addCookies([{ name: 'color-mode', value: theme, url: baseURL! }]);
    for (const [path, button, entries] of menus) {
      await page.goto(path);
      await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
      await button(page).click();
      const menu = page.locator('details[data-menu][open] .menu');
      await expect(menu).toBeVisible();
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
  }
});

test('only staff see the staff menu, and each role only its own pages', async ({ page }) => {
  const staff = page.getByRole('banner').getByText('Staff', { exact: true });
  await signIn(page, 'player');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await expect(staff).toBeHidden();
  await page.getByRole('banner').locator('.account summary').click();
  await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, 'moderator');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await staff.click();
  const menu = page.locator('details[data-menu][open] .menu');
  await expect(menu.getByRole('link', { name: 'Hosting' })).toBeHidden();
  await menu.getByRole('link', { name: 'Notices' }).click();
  await expect(page).toHaveURL('/admin/servers/notices');
});

test('on every page of servers the bar says so', async ({ page }) => {
  await signIn(page, 'player');
  const servers = page.getByRole('banner').getByRole('link', { name: 'Servers', exact: true });
  for (const [path, current] of [
    ['/servers', 'page'],
    ['/servers/buy', 'true'],
    ['/servers/manage', 'true'],
  ] as const) {
    await page.goto(path);
    await expect(servers).toHaveAttribute('aria-current', current);
  }
  await page.goto('/mods');
  await expect(servers).not.toHaveAttribute('aria-current');
});
