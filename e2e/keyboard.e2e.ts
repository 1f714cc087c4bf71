import { expect, test } from 'playwright/test';

test('a menu closes when the focus leaves it', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  const menu = page.getByRole('navigation', { name: 'Main' });
  await menu.getByText('Discover').focus();
  await page.keyboard.press('Enter');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeVisible();
  for (let step = 0; step < 7; step++) await page.keyboard.press('Tab');
  await expect(menu.getByRole('link', { name: 'Shaders' })).toBeHidden();
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused();
});

test('the sheet of filters holds the focus until it closes, and gives it back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/mods');
  await page.locator('form[data-live]').waitFor();
  const opener = page.getByRole('button', { name: 'Filters', exact: true });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Close filters' })).toBeFocused();
  const behind = page.getByRole('searchbox', { name: 'Search', exact: true });
  await behind.evaluate((box) => box.focus());
  await expect(behind).not.toBeFocused();
  await page.keyboard.press('Escape');
  await expect(opener).toBeFocused();
  await behind.evaluate((box) => box.focus());
  await expect(behind).toBeFocused();
});
