import { expect, test } from 'playwright/test';

test('the quick search on the home page shows live results, and links to all of them', async ({
  page,
  context,
}) => {
  await page.goto('/');
  const live = page
    .getByRole('search')
    .filter({ has: page.getByRole('searchbox', { name: 'Try the search' }) });
  const box = live.getByRole('searchbox');
  const names = live.getByRole('listitem').getByRole('link');
  await expect(names).toHaveCount(3);
  await expect(box).toHaveValue('light');

  await box.fill('lanternro');
  await expect(names.first()).toHaveText('Lanternroot');
  await expect(box).toBeFocused();
  await box.fill('nothing is called like this');
  await expect(live.getByRole('status')).toHaveText('No projects');
  await expect(live.getByText('No matches. Try fewer letters')).toBeVisible();

  await context.setOffline(true);
  await box.fill('');
  await expect(page.locator('[data-trouble].on')).toBeVisible();
  await expect(live.getByRole('status')).toHaveText('No projects'); // the banner alone says why
  await context.setOffline(false);
  await expect(names).toHaveCount(3);
  await live.getByRole('combobox', { name: 'Sort' }).selectOption('Downloads');
  const answer = await page.request.get('/v2/search?index=downloads&limit=3');
  const { hits } = (await answer.json()) as { hits: Array<{ title: string }> };
  await expect(names).toHaveText(hits.map(({ title }) => title));

  await box.fill('cave');
  await box.press('Enter');
  await expect(page).toHaveURL('/mods?q=cave&s=downloads');
});

test('random projects scroll until paused', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  const strip = page.locator('.strip').first();
  const moves = () => strip.evaluate((element) => getComputedStyle(element).animationPlayState);
  await page.mouse.move(0, 0);
  expect(await moves()).toBe('running');
  await page.getByRole('checkbox', { name: 'Pause' }).check();
  expect(await moves()).toBe('paused');
  const first = strip.getByRole('link').first();
  const name = await first.innerText();
  await first.focus();
  await first.press('Enter');
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
});

test('pictures of articles move nothing when they arrive', async ({ page }) => {
  await page.goto('/');
  const news = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'News', exact: true }) });
  const height = await news.evaluate((section) => section.clientHeight);
  for (const picture of await news.locator('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
  }
  expect(await news.evaluate((section) => section.clientHeight)).toBe(height);
});

test('launchers are absent when the visitor hides them', async ({ page }) => {
  await page.goto('/settings');
  await page.getByRole('switch', { name: 'Hide launchers' }).check();
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'Latest updates' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Launchers for this site' })).toBeHidden();
});
