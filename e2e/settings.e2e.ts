import { expect, type Page, test } from 'playwright/test';

const html = (page: Page) => page.locator('html');
const card = (page: Page, group: string, name: string) =>
  page.getByRole('group', { name: group, exact: true }).getByRole('radio', { name: new RegExp(`^${name}`) });

test('settings are stored in this browser and applied before the first paint', async ({ page }) => {
  await page.goto('/settings');
  const following = page.getByRole('switch', { name: 'Follow my system' });
  await expect(following).toBeChecked();
  await expect(card(page, 'Theme', 'Dark')).toBeChecked();

  await card(page, 'Theme', 'Light').check();
  await expect(html(page)).toHaveAttribute('data-theme', 'light');
  await expect(following).not.toBeChecked();
  await following.check();
  await expect(html(page)).toHaveAttribute('data-theme', 'dark');
  await card(page, 'Theme', 'OLED').check();
  await expect(following).toBeChecked();
  await expect(html(page)).toHaveAttribute('data-theme', 'oled');

  await page
    .getByRole('group', { name: 'Mods', exact: true })
    .getByRole('radio', { name: 'Gallery' })
    .check();
  await page.getByRole('switch', { name: 'Filters on the right' }).check();
  await page.getByRole('switch', { name: 'Sidebar on the left' }).check();
  await page.getByRole('switch', { name: 'Advanced rendering' }).uncheck();
  await page.getByRole('switch', { name: 'Open other sites in a new tab' }).uncheck();

  await page.goto('/mods');
  await expect(html(page)).toHaveAttribute('data-display-mod', 'gallery');
  await expect(html(page)).toHaveAttribute('data-filters', 'end');
  await page.goto('/mod/lanternroot');
  await expect(html(page)).toHaveAttribute('data-theme', 'oled');
  await expect(html(page)).toHaveAttribute('data-rendering', 'plain');
  const facts = (await page.locator('.facts').boundingBox())!;
  const prose = (await page.locator('.prose').first().boundingBox())!;
  expect(facts.x).toBeLessThan(prose.x);

  await page.goto('/settings');
  await expect(card(page, 'Theme', 'OLED')).toBeChecked();
  await expect(page.getByRole('switch', { name: 'Advanced rendering' })).not.toBeChecked();
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect(card(page, 'Theme', 'Light')).toBeChecked();
  await expect(following).not.toBeChecked();

  await card(page, 'Theme', 'Retro').check();
  await page.reload();
  await expect(card(page, 'Theme', 'Retro')).toBeChecked();
  await expect(html(page)).toHaveAttribute('data-theme', 'retro');
});

test('a language is found by typing and applied by keyboard', async ({ page }) => {
  await page.goto('/settings/language');
  const box = page.getByRole('searchbox', { name: 'Find a language' });
  await expect(page.getByRole('radio', { name: /Automatic/ })).toBeChecked();
  await box.fill('germany');
  await expect(page.getByRole('status').filter({ hasText: '1 matching language' })).toBeAttached();
  await expect(page.getByRole('radio')).toHaveCount(1);
  await box.press('Enter');
  await expect(page.getByRole('radio', { name: /Deutsch \(Deutschland/ })).toBeFocused();

  await page.route('**/settings/language?hl=de-DE', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(
    page.getByRole('alert').filter({ hasText: 'Cannot load this language. Try again in a bit.' }),
  ).toBeAttached();
  await expect(html(page)).toHaveAttribute('lang', 'en-US');
  await page.unroute('**/settings/language?hl=de-DE');
  await page.keyboard.press('Enter');

  await expect(html(page)).toHaveAttribute('lang', 'de-DE');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sprache');
  const german = page.getByRole('radio', { name: /Deutsch \(Deutschland/ });
  await expect(german).toBeChecked();
  await expect(german).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowDown');
  await expect(german).toBeFocused();

  await page.goto('/mods');
  await expect(html(page)).toHaveAttribute('lang', 'de-DE');
  await page.goto('/settings/language');
  await page.getByRole('radio', { name: /Automatisch/ }).click();
  await expect(html(page)).toHaveAttribute('lang', 'en-US');
});

for (const width of [390, 1280])
  test(`settings open at their top at ${width} pixels, with the current page in sight`, async ({ page }) => {
    await page.setViewportSize({ width, height: 500 });
    await page.goto('/settings/language', { waitUntil: 'networkidle' });
    expect(await page.evaluate(() => scrollY)).toBe(0);
    const navigation = page.getByRole('navigation', { name: 'Settings' });
    await expect(navigation.getByRole('link', { name: 'Language' })).toBeInViewport({ ratio: 1 });
  });
