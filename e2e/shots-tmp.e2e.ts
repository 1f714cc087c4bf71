import { test } from 'playwright/test';
import { main, signedInBuyer } from './buyer.ts';
import { endPlusPeriod } from './expire-subscription.ts';
test('shots', async ({ page }) => {
  test.setTimeout(300_000);
  const shoot = async (name: string, path: string, hl = '') => {
    for (const width of [1280, 390])
      for (const scheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(path + (hl ? `${path.includes('?') ? '&' : '?'}hl=${hl}` : ''));
        await page.waitForTimeout(400);
        await page.screenshot({ path: `/tmp/mplus-${name}${hl}-${width}-${scheme}.png`, fullPage: true });
        if (hl) break;
      }
  };
  await shoot('plus', '/plus');
  await shoot('plus', '/plus', 'ar-SA');
  await shoot('plus', '/plus', 'de-DE');
  const who = await signedInBuyer(page, '/settings/billing/plus');
  await shoot('buy', '/settings/billing/plus');
  await shoot('buy', '/settings/billing/plus', 'ar-SA');
  await page.goto('/settings/billing/plus');
  await main(page).getByRole('radio', { name: /0341/ }).check();
  await main(page).getByRole('button', { name: 'Pay and get Plus' }).click();
  await page.waitForURL(/plus=1/);
  await shoot('have', '/settings/billing?plus=1');
  await shoot('have', '/settings/billing', 'ar-SA');
  await shoot('owned', '/plus');
  await shoot('menu', `/user/${who}`);
  await endPlusPeriod(who);
  await page.waitForTimeout(4000);
  await shoot('failed', '/settings/billing');
  await shoot('renew', '/settings/billing/plus');
});
