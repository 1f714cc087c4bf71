import { expect, test } from 'playwright/test';

test('a filter of any length fits 320 pixels', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/mod/lanternroot/changelog?v=${'a'.repeat(900)}`);
  await expect(page.getByRole('heading', { name: 'No matching versions' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});
