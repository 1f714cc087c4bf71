import { expect, type Page, test } from 'playwright/test';
import { themeBackgrounds } from '../site/ui/theme-background.ts';

/** Every address in the head for programs: feeds, icons, the manifest, the Open Graph image. */
const named = (page: Page) =>
  page
    .locator(
      'head link[rel=alternate][type], head link[rel*=icon], head link[rel=manifest], head meta[property="og:image"]',
    )
    .evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('content')!));

for (const [path, types] of [
  ['/mod/lanternroot', ['SoftwareApplication', 'BreadcrumbList']],
  ['/user/mirelle', ['ProfilePage']],
] as const) {
  test(`the resources in the head of ${path} exist`, async ({ page }) => {
    await page.goto(path);
    const addresses = await named(page);
    expect(addresses.length).toBeGreaterThanOrEqual(6);
    for (const address of addresses) {
      const { pathname, search } = new URL(address, page.url());
      const answer = await page.request.get(pathname + search);
      expect([pathname, answer.status()]).toEqual([pathname, 200]);
    }
    const data = await page.locator('head script[type="application/ld+json"]').textContent();
    const { '@graph': things } = JSON.parse(data!) as { '@graph': Array<{ '@type': string }> };
    expect(things.map((thing) => thing['@type'])).toEqual(types);
  });
}

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
