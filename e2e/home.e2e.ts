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

test('the latest updates are a stack of links that nothing announces', async ({ page }) => {
  await page.goto('/');
  const stack = page.getByRole('list', { name: 'Latest updates' });
  const column = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Fresh updates' }) });
  const fresh = await column.getByRole('listitem').getByRole('link').allInnerTexts();
  await expect(stack.getByRole('link')).toHaveText(fresh.slice(0, 3));
  await expect(stack.getByText('Updated', { exact: true })).toHaveCount(3);
  await expect(
    page.locator('[aria-live], [role=status], [role=alert], [role=log]').filter({ has: stack }),
  ).toHaveCount(0);
  const { recent } = await (await page.request.get('/_payload.json')).json();
  expect(recent.map(({ title }: { title: string }) => title)).toEqual(fresh.slice(0, 3));
  await stack.getByRole('link').last().click();
  await expect(page.getByRole('heading', { name: fresh[2], level: 1 })).toBeVisible();
});

test('the newest articles are on the home page, with pictures that move nothing', async ({ page }) => {
  await page.goto('/');
  const news = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'News', exact: true }) });
  await expect(news.getByRole('listitem')).toHaveCount(3);
  const height = await news.evaluate((section) => section.clientHeight);
  const pictures = news.locator('img');
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
  }
  expect(await news.evaluate((section) => section.clientHeight)).toBe(height);
  const first = news.getByRole('listitem').first().getByRole('link');
  const title = await first.innerText();
  await first.click();
  await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
});

test('launchers are named, unless the visitor hides them', async ({ page }) => {
  await page.goto('/');
  const launchers = page.getByRole('region', { name: 'Launchers for this site' });
  await expect(launchers.getByRole('link', { name: 'Long Way' })).toHaveAttribute(
    'href',
    'https://launcher.example',
  );
  await launchers.getByRole('link', { name: 'How to set one up' }).click();
  await expect(page.getByRole('heading', { name: 'App and launchers', level: 1 })).toBeVisible();
  await page.goto('/settings');
  await page.getByRole('switch', { name: 'Hide launchers' }).check();
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'Latest updates' })).toBeVisible();
  await expect(launchers).toBeHidden();
});
