import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { main, signedInBuyer } from './buyer.ts';

/** Somebody keeps cards, chooses the one that pays for everything, and removes the other. */
const rows = (page: Page) => main(page).locator('ul.rows > li');
const add = async (page: Page, card: RegExp, then: number) => {
  await main(page).getByText('Add a card').click();
  await main(page).getByRole('radio', { name: card }).check();
  await main(page).getByRole('button', { name: 'Save card' }).click();
  await expect(rows(page)).toHaveCount(then);
  await expect(page.getByText('Your payment methods are up to date.')).toBeVisible();
};

for (const width of [390, 1280])
  test(`cards are added, chosen and removed at ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    await signedInBuyer(page, '/settings/billing');
    await expect(page.getByText('You don’t pay for anything')).toBeVisible();
    await expect(page.getByText('No card is saved yet.')).toBeVisible();
    await add(page, /Visa ending in 4242/, 1);
    await expect(rows(page).getByText('Primary', { exact: true })).toBeVisible();
    await add(page, /Mastercard ending in 4444/, 2);
    await expect(rows(page).first()).toContainText('Visa');
    expect(await axeFinds(page)).toEqual([]);
    await main(page)
      .getByRole('button', { name: /^Make primary: Mastercard/ })
      .click();
    await expect(rows(page).first()).toContainText('Mastercard');
    await main(page).getByRole('button', { name: 'Remove Visa ending in 4242' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(main(page).getByText('Visa ending in 4242').first()).toBeHidden();
    await main(page).getByRole('link', { name: 'See all payments' }).click();
    await expect(page.getByText('No payments yet.')).toBeVisible();
    await main(page).getByRole('link', { name: 'Back to billing' }).click();
    await expect(rows(page)).toHaveCount(1);
  });
