import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import {
  deleteOrdered,
  goOn,
  main,
  serverName,
  serverOfPanel,
  signedInBuyer,
  terms,
  title,
} from './buyer.ts';

test.afterEach(deleteOrdered);

/** Somebody keeps cards, chooses the one that pays for everything, and removes the other. */
const rows = (page: Page) => main(page).locator('ul.rows > li');
const add = async (page: Page, card: RegExp, then: number) => {
  await main(page).getByText('Add a card').click();
  await main(page).getByRole('radio', { name: card }).check();
  await main(page).getByRole('button', { name: 'Save card' }).click();
  await expect(rows(page)).toHaveCount(then);
  await expect(page.getByText('Your payment methods are up to date.')).toBeVisible();
};

test('cards are added on a phone, chosen and removed on a wide screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signedInBuyer(page, '/settings/billing');
  await expect(page.getByText('You don’t pay for anything')).toBeVisible();
  await expect(page.getByText('No card is saved yet.')).toBeVisible();
  await add(page, /Visa ending in 4242/, 1);
  await expect(rows(page).getByText('Primary', { exact: true })).toBeVisible();
  await add(page, /Mastercard ending in 4444/, 2);
  await expect(rows(page).first()).toContainText('Visa');
  expect(await axeFinds(page)).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await main(page)
    .getByRole('button', { name: /^Make primary: Mastercard/ })
    .click();
  await expect(rows(page).first()).toContainText('Mastercard');
  await main(page).getByRole('button', { name: 'Remove Visa ending in 4242' }).click();
  await page
    .getByRole('dialog', { name: 'Remove Visa ending in 4242?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(rows(page)).toHaveCount(1);
  await expect(main(page).getByText('Visa ending in 4242').first()).toBeHidden();
  await main(page).getByRole('link', { name: 'See all payments' }).click();
  await expect(page.getByText('No payments yet.')).toBeVisible();
  await main(page).getByRole('link', { name: 'Back to billing' }).click();
  await expect(rows(page)).toHaveCount(1);
});

/** The choice of a saved card on the page of a payment. */
const saved = (page: Page) => main(page).getByRole('group', { name: 'Your cards' }).getByRole('radio');

test('a saved card buys Plus on a phone and a server on a wide screen, by the keyboard too', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await signedInBuyer(page, '/settings/billing');
  await add(page, /Mastercard ending in 4444/, 1);
  await add(page, /Visa ending in 4242/, 2);
  await page.goto('/settings/billing/plus');
  await expect(saved(page)).toHaveCount(2);
  await expect(saved(page).first()).toBeChecked();
  await expect(saved(page).first()).toHaveAccessibleName(/^Mastercard ending in 4444 Primary · Expires/);
  await expect(main(page).getByRole('radio', { name: /Declined/ })).toBeHidden();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await saved(page).first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(saved(page).last()).toBeChecked();
  await main(page).getByText('Another card', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await main(page)
    .getByRole('radio', { name: /0002.*Declined/ })
    .check();
  await expect(saved(page).last()).not.toBeChecked();
  expect(await axeFinds(page)).toEqual([]);
  await main(page).getByRole('button', { name: 'Pay and get Plus' }).click();
  await expect(main(page).getByText('The card was declined.')).toBeVisible();
  await saved(page).last().check();
  await main(page).getByRole('button', { name: 'Pay and get Plus' }).click();
  await expect(page).toHaveURL(/\/settings\/billing\?plus=paid$/);
  await expect(page.getByRole('region', { name: 'Plus' })).toContainText('Visa ending in 4242');

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/servers/buy?plan=small&region=north-america&step=payment');
  await expect(saved(page).first()).toBeChecked();
  await goOn(page).click();
  await expect(title(page)).toHaveText('Review your order');
  await expect(main(page).getByText('Mastercard ending in 4444')).toBeVisible();
  await serverName(page).fill('Moss');
  await terms(page).check();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await serverOfPanel(page);
  await page.goto('/settings/billing');
  await expect(main(page).getByText(/^Pays for .*Moss/)).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });
  test('a saved card is offered, and others are one step away', async ({ page }) => {
    await signedInBuyer(page, '/settings/billing');
    await main(page).getByText('Add a card').click();
    await main(page).getByRole('button', { name: 'Save card' }).click();
    await page.goto('/settings/billing/plus');
    await expect(saved(page)).toBeChecked();
    await main(page).getByText('Another card', { exact: true }).click();
    await expect(main(page).getByRole('radio', { name: /0002.*Declined/ })).toBeVisible();
    await main(page).getByRole('button', { name: 'Pay and get Plus' }).click();
    await expect(page.getByRole('region', { name: 'Plus' })).toContainText('Visa ending in 4242');
  });
});
