import { expect, test } from 'playwright/test';
import { signInAs } from './accounts.ts';

test('signing in while offline does not mark the fields as wrong', async ({ page }) => {
  await page.goto('/auth/sign-in');
  await page.route('**/_internal/**', (route) => route.abort());
  await page.getByLabel('Email or username').fill('creator');
  await page.getByLabel('Password', { exact: true }).fill('stack-seven-stones');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.locator('[data-form-error]')).toContainText('Check your connection');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
});

test('a page from the back/forward cache shows the current user', async ({ page }) => {
  await page.goto('/mod/lanternroot');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Sign in' })).toBeVisible();
  await signInAs(page, 'creator');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(page.getByLabel('Your account, creator')).toBeVisible();
});

test('a page number beyond the end redirects to the last page', async ({ page }) => {
  await page.goto('/shaders?m=6&page=99'); // other tests publish mods meanwhile
  await expect(page).toHaveURL('/shaders?m=6&page=6');
  await expect(page.getByText('There’s no page 99. This is the last one, page 6.')).toBeVisible();
  await page.goto('/shaders?f=screenshot&page=99');
  await expect(page).toHaveURL('/shaders?f=screenshot');
});

test('hashes are fully readable on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/mod/lanternroot/versions');
  await page.getByRole('row').nth(1).locator('a[href*="/version/"]').first().click();
  const hashes = page.getByText(/^[0-9a-f]{40,128}$/);
  await expect(hashes).toHaveCount(2);
  for (const hash of await hashes.all()) {
    const cut = await hash.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return (
        range.getBoundingClientRect().right > innerWidth || element.scrollWidth > element.clientWidth + 1
      );
    });
    expect(cut).toBe(false);
  }
});

for (const times of [1, undefined])
  test(`a page whose script is lost ${times ? 'once' : 'always'} is loaded once more, and no more`, async ({
    page,
  }) => {
    let loads = 0;
    page.on('response', (answer) => {
      if (new URL(answer.url()).pathname === '/dev/ui') loads += 1;
    });
    await page.route('**/_astro/Combobox.astro*.js', (route) => route.abort(), times ? { times } : {});
    await page.goto('/dev/ui');
    const box = page.getByRole('combobox', { name: 'Combobox' });
    await expect(times ? box.and(page.locator('input')) : box).toHaveValue('MIT');
    await expect.poll(() => loads).toBe(2);
    await page.waitForLoadState('networkidle');
    expect(loads).toBe(2);
  });
