import { expect, test } from 'playwright/test';
import { earn } from '../db/testing/payouts.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { withDatabase } from './database.ts';
import { inLanguage } from './pages.ts';

/** A creator withdraws, cancels what is on its way, and signs the tax form that a larger sum needs. */
test('revenue is withdrawn, canceled and taxed', async ({ page }) => {
  const { id, username } = await newAccount('earner');
  await signInAs(page, username);
  await withDatabase((sql) => earn(sql, id, 80_000, new Date()));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/dashboard/revenue');
  await expect(page.getByText('A tax form is needed')).toBeVisible();
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText('No money moves here')).toBeVisible();

  // a method, with the fee while it is typed
  await page.getByLabel('Country', { exact: true }).selectOption({ label: 'Germany' });
  await page.getByLabel('Search methods').fill('pay');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: /PayPal/ }).click();
  const button = page.getByRole('button', { name: 'Withdraw' });
  await expect(button).toBeDisabled();
  await page.getByLabel('Amount in US dollars').fill('700');
  await expect(page.getByText('this withdrawal takes you over $600')).toBeVisible();
  await page.getByLabel('Amount in US dollars').fill('50');
  await expect(page.locator('[data-shows=fee]')).toHaveText('$1.00');
  await expect(page.locator('[data-shows=net]')).toHaveText('$49.00');
  // as other languages write it; the server takes what the page takes
  await page.getByLabel('Amount in US dollars').fill('٢٥٫٥٠');
  await expect(page.locator('[data-shows=net]')).toHaveText('$24.99');
  await page.getByLabel('Amount in US dollars').fill(' 50,00');
  await expect(page.locator('[data-shows=net]')).toHaveText('$49.00');
  await page.getByRole('textbox', { name: 'Email address' }).fill('wait@example.org');
  await expect(page.getByText('Check all three boxes.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await button.click();
  await expect(page).toHaveURL(/revenue\/transfers/);
  const row = page.locator('.rows li').first();
  await expect(row).toContainText('In transit');
  await expect(page.getByText('$49.00 in one withdrawal, plus $1.00 in fees.')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // on a phone: canceled, and back in the balance
  await page.setViewportSize({ width: 390, height: 800 });
  await row.getByText('Cancel', { exact: true }).click();
  await row.getByRole('button', { name: 'Cancel withdrawal' }).click();
  await expect(row).toContainText('Canceled');
  await page.getByRole('link', { name: 'Withdraw', exact: true }).click();
  await expect(page.getByText('You can withdraw $800.00.')).toBeVisible();

  // more than 600 dollars a year: the form first
  await page.goto('/dashboard/revenue/tax?form=W-8BEN');
  await page.getByRole('button', { name: 'Sign form' }).click();
  await expect(page.getByText('This field is required.').first()).toBeVisible();
  const given = {
    'Full legal name': 'Ada Stein',
    'Street address': 'Steinweg 1',
    City: 'Ulm',
    'Postal code': '89073',
  };
  for (const [label, value] of Object.entries(given))
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Country', { exact: true }).selectOption('DE');
  await page.getByLabel('Signature', { exact: true }).fill('Ada Stein');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Sign form' }).click();
  await expect(page.getByText('Your tax form is signed')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.goto('/dashboard/revenue/withdraw?country=DE&method=paypal:paypal');
  await page.getByLabel('Amount in US dollars').fill('700');
  await page.getByRole('textbox', { name: 'Email address' }).fill('ada@example.org');
  for (const box of await page.getByRole('checkbox').all()) await box.check();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.locator('.rows li').first()).toContainText('Paid');

  for (const path of ['withdraw?country=US&method=tremendous:test-books', 'transfers', 'tax']) {
    await page.goto(inLanguage(`/dashboard/revenue/${path}`, 'ar-SA'));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
});
