import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { main, signedInBuyer } from './buyer.ts';
import { endPlusPeriod } from './expire-subscription.ts';

/** Plus: its page for everybody, and the life of one: bought, a renewal that fails, another card, canceled. */
const plus = (page: Page) => page.getByRole('region', { name: 'Plus' });
const pick = (page: Page, card: string) =>
  main(page)
    .getByRole('radio', { name: new RegExp(`ending in ${card}`) })
    .check();

test('prices follow the country and the choice, and are kept in the address, at every width', async ({
  page,
}) => {
  await page.goto('/plus');
  await expect(main(page).getByText('$4.99', { exact: true })).toBeVisible();
  await expect(main(page).getByText('$4.17 a month', { exact: true })).toBeVisible();
  await expect(main(page).getByText('no money is charged')).toBeVisible();
  await expect(main(page).getByText('You have Plus')).toBeHidden();
  await main(page).getByLabel('Currency').selectOption('JPY');
  await expect(main(page).getByText('¥7,500', { exact: true })).toBeVisible();
  await page.reload();
  await expect(main(page).getByText('¥7,500', { exact: true })).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test.describe('in another country', () => {
  test.use({ locale: 'en-GB' });
  test('prices are in its currency', async ({ page }) => {
    await page.goto('/plus');
    await expect(main(page).getByText('£3.99', { exact: true })).toBeVisible();
  });
});

test('prices are in the currency of the country that a proxy names', async ({ page }) => {
  await page.route('**/_internal/viewer', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), country: 'DE' } });
  });
  await page.goto('/plus');
  await expect(main(page).getByText('€4.99', { exact: true })).toBeVisible();
  await main(page).getByRole('combobox').selectOption('GBP');
  await page.reload();
  // the choice stands in the address: it is shown before the country is known, and after that
  await page.locator('html[data-viewer-known]').waitFor();
  await expect(main(page).getByText('£3.99', { exact: true })).toBeVisible();
});

test('is bought, fails, goes on with another card and is canceled', async ({ page }) => {
  test.setTimeout(120_000);
  const who = await signedInBuyer(page, '/settings/billing');
  await page.goto('/plus');
  await main(page).getByRole('link', { name: 'Get Plus monthly' }).click();
  await expect(main(page).getByRole('note')).toContainText('No money is charged here');

  await pick(page, '0002');
  await main(page).getByRole('button', { name: 'Pay and get Plus' }).click();
  await expect(main(page).getByText('The card was declined.')).toBeVisible();
  await pick(page, '0341');
  await main(page).getByRole('button', { name: 'Pay and get Plus' }).dblclick();
  await expect(page).toHaveURL(/\/settings\/billing\?plus=paid$/);
  await expect(plus(page)).toContainText('$4.99 a month');
  await expect(plus(page).getByText(/^Renews on/)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // cached pages know it too
  await page.goto(`/user/${who}`);
  await expect(page.getByText('Supports this site')).toHaveCount(1);
  await page.goto('/plus');
  await expect(main(page).getByText('You have Plus')).toBeVisible();
  await expect(main(page).getByRole('link', { name: 'Get Plus monthly' })).toBeHidden();
  expect(await axeFinds(page)).toEqual([]);

  await main(page).getByRole('link', { name: 'Manage Plus' }).click();
  await plus(page).getByText('Change billing period').click();
  await plus(page)
    .getByLabel('Billing period')
    .selectOption({ label: 'Yearly · $49.99 a year, $4.17 a month' });
  await plus(page).getByRole('button', { name: 'Change period' }).click();
  await expect(plus(page).getByText(/^From .*: \$49\.99 a year$/)).toBeVisible();

  await endPlusPeriod(who);
  await expect(async () => {
    await page.goto('/settings/billing');
    await expect(plus(page).getByText('Payment failed', { exact: true }).first()).toBeVisible({
      timeout: 500,
    });
  }).toPass();
  expect(await axeFinds(page)).toEqual([]);
  await plus(page).getByRole('link', { name: 'Pay now' }).click();
  // the card that failed is known: another one is asked for
  await main(page).getByText('Another card', { exact: true }).click();
  await pick(page, '4444');
  await main(page).getByRole('button', { name: 'Pay and keep Plus' }).click();
  await expect(plus(page)).toContainText('Mastercard ending in 4444');
  await expect(plus(page)).toContainText('$49.99 a year');
  await main(page).getByRole('link', { name: 'See all payments' }).click();
  await expect(main(page).locator('ul.lines > li')).toHaveCount(4);

  await page.goto('/settings/billing');
  await plus(page).getByRole('button', { name: 'Cancel Plus' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Plus' }).click();
  await expect(plus(page).getByText(/^Canceled, ends on/)).toBeVisible();
  await plus(page).getByRole('button', { name: 'Undo cancellation' }).click();
  await expect(plus(page).getByText(/^Renews on/)).toBeVisible();
  await expect(main(page).getByText('Plus continues', { exact: true })).toBeVisible();
  await plus(page).getByRole('button', { name: 'Cancel Plus' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Plus' }).click();
  await expect(plus(page).getByText(/^Canceled, ends on/)).toBeVisible();
  await endPlusPeriod(who);
  await expect(async () => {
    await page.goto('/settings/billing');
    await expect(plus(page)).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await page.goto(`/user/${who}`);
  await expect(page.getByText('Supports this site')).toHaveCount(0);
});
