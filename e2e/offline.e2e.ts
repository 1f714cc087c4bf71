import { expect, test } from 'playwright/test';

// the other tests answer requests themselves, which a service worker would hide from them
test.use({ serviceWorkers: 'allow' });

test('a page that cannot be loaded is the offline page in its language, until the connection is back', async ({
  page,
  context,
}) => {
  await page.goto('/mods?hl=de-DE');
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state !== 'activated')
      await new Promise((done) => active?.addEventListener('statechange', done, { once: true }));
  });
  await page.reload();
  await context.setOffline(true);
  await page.goto('/mod/lanternroot');
  await expect(page.getByRole('heading', { name: 'Diese Seite konnte nicht geladen werden' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de-DE');
  await context.setOffline(false);
  await page.getByRole('link', { name: 'Noch einmal versuchen' }).click();
  await expect(page.getByRole('heading', { name: 'Lanternroot', level: 1 })).toBeVisible();
});
