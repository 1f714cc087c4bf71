import { expect, type Page, test } from 'playwright/test';
import { demoPassword } from '../db/demo/demo.ts';

const phone = { width: 390, height: 844 };
/** Toasts, by their titles. */
const message = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: title });

test('the footer fits a window of 320 pixels in German and Arabic', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [tag, words] of [
    ['de-DE', 'Datenschutz'],
    ['ar-SA', 'Cairn'],
  ] as const) {
    await page.goto(`/settings/language?hl=${tag}`);
    await expect(page.getByRole('contentinfo')).toContainText(words);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), tag).toBe(320);
  }
});

test('on a phone the bottom navigation opens two sheets, which close with Escape and have links', async ({
  page,
}) => {
  await page.setViewportSize(phone);
  await page.goto('/mod/lanternroot');
  const bar = page.getByRole('navigation', { name: 'Shortcuts' });
  const browse = bar.getByRole('button', { name: 'Browse' });
  for (const control of await bar.getByRole('button').or(bar.getByRole('link')).all()) {
    const { width, height } = (await control.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
  }
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await browse.focus();
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog', { name: 'Discover' });
  await expect(sheet.getByRole('link')).toHaveCount(7); // six types and the news
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(browse).toBeFocused();
  await bar.getByRole('link', { name: 'Search' }).click();
  await expect(page.getByRole('banner').getByRole('combobox', { name: 'Search' })).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close search' }).click();

  await bar.getByRole('button', { name: 'Account' }).click();
  const account = page.getByRole('dialog', { name: 'Account' });
  await expect(account.getByRole('link', { name: 'Create account' })).toBeVisible();
  await account.getByRole('button', { name: 'Switch between light and dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await account.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email or username').fill('creator');
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL('/mod/lanternroot');
  // a signed-in user never sees the sign-in link, not even before the request is answered
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
  await bar.getByRole('button', { name: 'Account' }).click();
  await expect(account.getByText('creator', { exact: true })).toBeVisible();
  await account.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await expect(page.locator('html')).toHaveAttribute('data-viewer', 'nobody');
});

test('five clicks on the logo enable developer mode, its page has every flag, and toasts count and time out', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/mods');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  const logo = page.getByRole('contentinfo').getByRole('button', { name: 'Cairn' });
  await expect(page.getByRole('link', { name: 'Feature flags' })).toHaveCount(0);
  await logo.click({ clickCount: 5 });
  await expect(message(page, 'Developer mode is on')).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Feature flags' }).first().click();
  await expect(page).toHaveURL('/flags');
  const developer = page.getByRole('switch', { name: /^Developer mode/ });
  await expect(developer).toBeChecked();
  const reset = page.getByRole('button', { name: 'Reset to defaults' });
  await reset.click();
  await expect(developer).not.toBeChecked();
  const said = message(page, 'Reset to defaults');
  await expect(said).toBeVisible();
  await reset.click();
  await reset.click();
  await expect(said).toHaveCount(1);
  await expect(said).toContainText('×3');
  const close = said.getByRole('button', { name: 'Dismiss' });
  await close.focus();
  await page.clock.fastForward(60_000);
  await expect(said).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(said).toHaveCount(0);
});

test('with a newer build the next navigation is a full page load', async ({ page }) => {
  await page.clock.install();
  await page.route('**/builds/latest.json*', (route) =>
    route.fulfill({ json: { id: 'newer', timestamp: '', missing: [] } }),
  );
  await page.goto('/mods?m=5');
  await page.locator('form[data-live]').waitFor();
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await page.clock.fastForward(6 * 60_000);
  await expect(page.locator('html')).toHaveAttribute('data-new-build');
  await page.getByRole('link', { name: 'Page 2', exact: true }).click();
  await expect(page).toHaveURL('/mods?m=5&page=2');
  await expect(page.locator('html')).not.toHaveAttribute('data-new-build'); // a new document has not checked yet
});

test('a page is prefetched when its link is hovered, and at most five are', async ({ page }) => {
  await page.goto('/mods');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  const asked = page.locator('head link[rel="prefetch"]');
  const links = page.getByRole('main').locator('a[href^="/mod/"]:visible');
  let last = '';
  for (let place = 0; place < 7; place += 1) {
    const link = links.nth(place);
    last = (await link.getAttribute('href'))!;
    // the results may be drawn anew once, when their island starts
    await expect(async () => {
      await link.blur();
      await link.focus();
      await expect(page.locator(`head link[rel="prefetch"][href$="${last}"]`)).toHaveCount(1, {
        timeout: 2_000,
      });
    }).toPass();
  }
  expect(await asked.count()).toBeLessThanOrEqual(5);
  await links.nth(6).click();
  await expect(page).toHaveURL(new RegExp(`${last}$`));
});

test('a lost connection and a site that does not answer show a banner until they are back', async ({
  page,
  context,
}) => {
  await page.goto('/mod/lanternroot');
  await expect(page.locator('html')).toHaveAttribute('data-viewer-known');
  await context.setOffline(true);
  await expect(page.getByText('You’re offline.')).toBeVisible();
  await page.route('**/readyz', (route) => route.fulfill({ status: 502, body: 'nobody there' }));
  await context.setOffline(false);
  await expect(page.getByText('The site isn’t responding.')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('The site isn’t responding.')).toBeVisible();
  await page.unroute('**/readyz');
  await expect(page.getByText('The site isn’t responding.')).toBeHidden({ timeout: 60_000 });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, viewport: phone });

  test('the bars lead to the account, and to the same entries in the footer', async ({ page }) => {
    await page.goto('/mod/lanternroot');
    const banner = page.getByRole('banner');
    await expect(banner.getByRole('link', { name: 'Sign in' })).toHaveCount(0);
    const bar = page.getByRole('navigation', { name: 'Shortcuts' });
    await bar.getByRole('link', { name: 'Browse' }).click();
    await expect(page).toHaveURL('/mod/lanternroot#shell-discover');
    await page.getByRole('navigation', { name: 'Discover' }).getByRole('link', { name: 'Shaders' }).click();
    await expect(page).toHaveURL('/shaders');
    await bar.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Sign in' }).click();
    await expect(page).toHaveURL('/auth/sign-in');
    await page.goto('/');
    await banner.getByRole('link', { name: 'Account' }).click();
    await expect(page).toHaveURL('/auth/sign-in?redirect=%2F');
  });
});
