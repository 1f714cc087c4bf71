import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page, test } from 'playwright/test';
import { openDemoSession } from '../bench/pages/demo-session.ts';
import { axeFinds } from './axe.ts';
import { main, serverName, serverOfPanel, signedInBuyer, terms, toReview } from './buyer.ts';
import { endPeriod } from './expire-subscription.ts';
import { inLanguage } from './pages.ts';

/** A payment fails, every page says so; staff note it, give back a part, and then the rest with the server. */
async function buyer(
  browser: Browser,
  width: number,
): Promise<{ page: Page; who: string; server_id: string }> {
  const page = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
  const who = await signedInBuyer(page, '/servers/buy?plan=small');
  await toReview(page, { card: '0341' });
  await serverName(page).fill('Fern');
  await terms(page).check();
  await page.getByRole('button', { name: /^Pay/ }).click();
  return { page, who, server_id: await serverOfPanel(page) };
}

const admin = 0;
const moderator = 1;
const charge = (page: Page) => main(page).locator('[data-charge]').last();
async function giveBack(
  page: Page,
  { amount, take = false, says }: { amount?: string; take?: boolean; says: string },
) {
  await charge(page).getByText('Refund', { exact: true }).click();
  if (amount) await charge(page).getByLabel('Amount in USD').fill(amount);
  await charge(page).getByLabel('Reason').fill('It lagged');
  if (take)
    await charge(page)
      .getByLabel(/^Take the service too/)
      .check();
  await charge(page).getByRole('button', { name: 'Give the money back' }).click();
  await expect(charge(page).getByText('Tick the box first.')).toBeVisible();
  await charge(page)
    .getByLabel(/^I’ve checked the amount/)
    .check();
  await charge(page).getByRole('button', { name: 'Give the money back' }).click();
  await expect(page.getByText(says)).toBeVisible();
}

for (const width of [1280, 390])
  test(`staff give money back, and a failed payment is on every page, at ${width} pixels`, async ({
    browser,
  }) => {
    const { page, who, server_id } = await buyer(browser, width);
    const notice = page.getByRole('complementary', { name: 'A payment failed' });
    await page.goto('/settings/billing/charges');
    await expect(notice).toBeHidden();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Invoice TEST-/ }).click(),
    ]);
    expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe('%PDF-');

    const staff = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
    await openDemoSession(staff, admin);
    await staff.goto(`/admin/billing/${who}`);
    await expect(staff.getByRole('heading', { level: 1 })).toHaveText(`Payments of \u2068${who}\u2069`);
    await giveBack(staff, { amount: '20', says: 'That’s more than is left of this payment.' });
    await charge(staff).getByLabel('Amount in USD').fill('5');
    await charge(staff).getByRole('button', { name: 'Give the money back' }).click();
    await expect(charge(staff)).toContainText('Net $7.00');
    const subscription = main(staff).locator('[data-subscription]');
    const credits = main(staff).getByRole('region', { name: 'Subscriptions' });
    await credits.getByText('Give days').first().click();
    await credits.getByLabel('Days').fill('5');
    await credits.getByRole('button', { name: 'Give days' }).click();
    await expect(credits.getByText(/^Give a reason/)).toBeVisible();
    await credits.getByLabel('Reason').first().fill('Was down');
    await credits.getByRole('button', { name: 'Give days' }).click();
    await expect(main(staff).getByText('The days were added')).toBeVisible();
    await expect(subscription).toContainText('5 days given');
    await main(staff).getByLabel('New note').fill('Called twice');
    await main(staff).getByRole('button', { name: 'Add note' }).click();
    await expect(main(staff).locator('[data-notes]')).toContainText('Called twice');
    expect(await axeFinds(staff)).toEqual([]);
    expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);

    await endPeriod(server_id);
    await expect(async () => {
      await page.goto('/');
      await expect(notice).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await notice.getByRole('link', { name: 'Update billing' }).click();
    await expect(page).toHaveURL(/\/settings\/billing$/);
    expect(await axeFinds(page)).toEqual([]);
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto('/');
    await expect(stranger.getByRole('complementary', { name: 'A payment failed' })).toBeHidden();

    // moderators read it, and have nothing to press
    const other = await (await browser.newContext({ viewport: { width, height: 800 } })).newPage();
    await openDemoSession(other, moderator);
    await other.goto(`/admin/billing/${who}`);
    await expect(charge(other)).toContainText('Net $7.00');
    await expect(main(other).getByRole('button')).toHaveCount(0);
    expect(await axeFinds(other)).toEqual([]);
    expect((await other.goto('/admin/billing'))?.status()).toBe(404);

    await staff.reload();
    await giveBack(staff, { take: true, says: 'The money is on its way back' });
    await expect(charge(staff)).toContainText('$7.00 given back');
    await expect(subscription).toContainText('ended');
    await expect(async () => {
      await page.goto('/');
      await expect(notice).toBeHidden({ timeout: 1_000 });
    }).toPass();
    await main(staff)
      .getByRole('link', { name: `See the ledger of \u2068${who}\u2069` })
      .click();
    await expect(main(staff).locator('[data-transactions] > li').first()).toBeVisible();
    await expect(main(staff).locator('[data-transactions]')).toContainText(/refund.*income:servers/s);
    const answered = await staff.goto('/admin/billing?month=0000-01');
    expect(answered?.status()).toBe(200);
    await main(staff).getByRole('link', { name: 'Monthly report' }).click();
    const row = main(staff).getByRole('row').filter({ hasText: 'income:servers' }).first();
    await expect(row).toContainText('$');
    await main(staff).getByRole('link', { name: 'Earlier months' }).click();
    await expect(main(staff).getByText('No transactions.')).toBeVisible();
    await main(staff).getByRole('link', { name: 'Later months' }).click();
    await expect(row).toContainText('$');
    expect(await axeFinds(staff)).toEqual([]);
    await staff.goto(inLanguage(`/admin/billing/${who}`, 'ar-SA'));
    expect(await staff.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect((await page.goto(`/admin/billing/${who}`))?.status()).toBe(404);
  });

test('staff cancel a service with its period and take it, whose money is gone already', async ({
  browser,
}) => {
  const { who, page } = await buyer(browser, 390);
  const staff = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  await openDemoSession(staff, admin);
  await staff.goto(`/admin/billing/${who}`);
  await giveBack(staff, { says: 'The money is on its way back' });
  const service = main(staff).locator('[data-service]');
  const subscription = main(staff).locator('[data-subscription]');
  const end = async (how: string) => {
    await service.getByText('End \u2068Fern\u2069').click();
    await service.getByRole('radio', { name: how }).check();
    await service.getByRole('button', { name: 'End it' }).click();
    await expect(service.getByText('Tick the box first.')).toBeVisible();
    await service.getByLabel(/^I’ve checked the subscription/).check();
    await service.getByLabel('Reason').fill('Resold it');
    expect(await axeFinds(staff)).toEqual([]);
    await service.getByRole('button', { name: 'End it' }).click();
    await expect(staff.getByText('Saved')).toBeVisible();
  };
  await end('Cancel at the end of the period');
  await expect(subscription).toContainText('canceled');
  await end('Take the service now');
  await expect(subscription).toContainText('ended');
  await expect(service).toHaveCount(0);
  await page.close();
});
