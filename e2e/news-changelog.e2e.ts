import { readdirSync } from 'node:fs';
import { expect, test } from 'playwright/test';
import { axeFinds } from './axe.ts';

const web = readdirSync(new URL('../content/changelog/web/', import.meta.url))
  .map((file) => file.replace('.md', ''))
  .sort()
  .toReversed();

test('days are told relative to today, exactly in the tooltip', async ({ page }) => {
  await page.clock.setFixedTime(`${web[0]}T20:00:00Z`);
  await page.goto('/news/changelog/web');
  const [first, second] = [0, 1].map((at) => page.locator(`main time[datetime="${web[at]}"]`));
  await expect(first!).toHaveText('today');
  await expect(second!).not.toHaveText(/\d{4}/);
  await page.clock.setFixedTime('2030-01-01T00:00:00Z');
  await page.goto('/news/changelog/web');
  await expect(first!).toHaveText('3 years ago');
});

test('English texts in a German frame have no accessibility violations', async ({ page }) => {
  await page.goto('/news/changelog?hl=de-DE');
  expect(await axeFinds(page)).toEqual([]);
});
