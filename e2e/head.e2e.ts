import { expect, test } from 'playwright/test';
import { themeBackgrounds } from '#site/platform/ui/theme-background.ts';

test("the browser's theme color follows the theme, even before the first paint", async ({ page }) => {
  const color = () => page.locator('meta[name=theme-color]').getAttribute('content');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto('/');
  expect(await color()).toBe(themeBackgrounds.dark);
  await page.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect.poll(color).toBe(themeBackgrounds.light);
  await page.reload();
  expect(await color()).toBe(themeBackgrounds.light);
});
