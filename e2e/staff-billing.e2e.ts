import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { main, serverName, serverOfPanel, signedInBuyer, terms, toReview } from './buyer.ts';
import { endPeriod } from './expire-subscription.ts';
import { inLanguage } from './pages.ts';

/** What scripts and layout add to `site/moderation/staff/billing/staff-billing.page.test.ts`, where staff use each form. */
const width = 390;
test.use({ viewport: { width, height: 800 } });
const fits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

test('a failed payment is on every page until staff give the money back', async ({
  page,
  browser,
  baseURL,
}) => {
  const who = await signedInBuyer(page, '/servers/buy?plan=small');
  await toReview(page, { card: '0341' });
  await serverName(page).fill('Fern');
  await terms(page).check();
  await page.getByRole('button', { name: /^Pay/ }).click();
  const server_id = await serverOfPanel(page);
  const notice = page.getByRole('complementary', { name: 'A payment failed' });
  await page.goto('/settings/billing/charges');
  await expect(notice).toBeHidden();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Invoice TEST-/ }).click(),
  ]);
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

  await endPeriod(server_id);
  await expect(async () => {
    await page.goto('/');
    await expect(notice).toBeVisible({ timeout: 1_000 });
  }).toPass();
  expect(await axeFinds(page, { within: '.unpaid' })).toEqual([]);
  await notice.getByRole('link', { name: 'Pay now' }).click();
  // to the payment of the server that the notice names
  await expect(notice).toContainText('Fern');
  await expect(page).toHaveURL(new RegExp(`${server_id}/options/billing#pay$`));
  await expect(main(page).getByRole('button', { name: 'Pay $12.00' })).toBeVisible();
  await expect(main(page).getByRole('radio', { name: /0341.*Declined/ })).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await fits(page);
  await page.goto('/servers/manage');
  await expect(main(page).getByRole('link', { name: 'Pay $12.00' })).toBeVisible();

  const staff = await browser.newPage({ viewport: { width, height: 800 }, baseURL: baseURL! });
  await signInAs(staff, demoAccounts[0]!);
  await staff.goto(inLanguage(`/admin/billing/${who}`, 'ar-SA'));
  await fits(staff);
  await staff.goto(`/admin/billing/${who}`);
  const charge = main(staff).locator('[data-charge]').last();
  await charge.getByText('Refund', { exact: true }).first().click();
  await charge.getByLabel('Reason').fill('It lagged');
  await charge.getByLabel(/^Also end the service/).check();
  await charge.getByRole('button', { name: 'Refund' }).click();
  await expect(charge.getByText('Check the box first.')).toBeVisible();
  await main(staff)
    .getByText(/^End .Fern/)
    .click();
  await expect(main(staff).getByRole('button', { name: 'Confirm' })).toBeVisible();
  expect(await axeFinds(staff, { within: 'main' })).toEqual([]);
  await fits(staff);
  await charge.getByLabel(/^I’ve checked the amount/).check();
  await charge.getByRole('button', { name: 'Refund' }).click();
  await expect(staff.getByText('Refund started')).toBeVisible();
  await staff.close();
  await expect(async () => {
    await page.goto('/');
    await expect(notice).toBeHidden({ timeout: 1_000 });
  }).toPass();
});
