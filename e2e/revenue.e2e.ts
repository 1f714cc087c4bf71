import { expect, test } from 'playwright/test';
import { insertRecords } from '../db/discovery/analytics/records.ts';
import { rollUp } from '../db/discovery/analytics/roll-up.ts';
import { divideRevenue } from '../db/money/billing/revenue/divide.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { withDatabase } from './database.ts';
import { inLanguage } from './pages.ts';
import { draftOf } from './team-fixture.ts';

/** What an operator enters, a creator sees: what is pending and when it comes, by day and by project. */
test('income of a day becomes a creator’s revenue', async ({ page }) => {
  const owner = await newAccount('earner');
  await signInAs(page, owner.username);
  const project = await draftOf({ page, ...owner }, 'earning');
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Revenue' }).click();
  await expect(page.getByText('No earnings in this period')).toBeVisible();
  await expect(page.getByText('No upcoming earnings.')).toBeVisible();

  const at = new Date(Date.now() - 2 * 86_400_000);
  const day = at.toISOString().slice(0, 10);
  const add = ['billing', 'income', 'add', '--day', day, '--amount', '20.00', '--reference', project.slug];
  await cairn(...add);
  await expect(cairn(...add)).rejects.toThrow(/was entered before/);
  await expect(
    cairn('billing', 'income', 'add', '--day', day, '--amount', '-1', '--reference', 'x'),
  ).rejects.toThrow(/such as 12\.34/);
  await withDatabase(async (sql) => {
    const view = { kind: 'view', at, project_id: project.id, monetized: true } as const;
    // of this income nobody else has a share: the views of the demo on that day earn nothing more
    await sql`update analytics_hours set monetized = false where (at at time zone 'UTC')::date = ${day}::date`;
    await sql.begin((tx) => insertRecords(tx, [view]));
    await rollUp(sql, new Date(), { records_d: 30 });
    await divideRevenue(sql, new Date());
  });
  expect(await cairn('billing', 'income', 'list')).toMatch(
    new RegExp(`${day} +ads +20 +0 +${project.slug} +yes`),
  );

  await page.reload();
  const pending = page.locator('dl.totals div').filter({ hasText: 'Pending' });
  await expect(pending).toContainText('$15.00');
  await expect(page.getByRole('row').filter({ hasText: project.slug })).toContainText('$15.00');
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeDisabled();
  await expect(page.getByRole('button', { name: 'Withdraw' })).toHaveAccessibleDescription(
    /Nothing to withdraw yet/,
  );
  // before it is needed
  const tax = page.getByRole('link', { name: 'Tax form', exact: true });
  await expect(tax).toHaveAttribute('href', '/dashboard/revenue/tax');
  await expect(page.locator('.chart canvas')).toBeVisible();
  await page.getByText('Show the days as a table').click();
  await expect(page.locator('.times').getByRole('row').filter({ hasText: '$15.00' })).toHaveCount(1);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('link', { name: '90 days' }).click();
  await expect(page).toHaveURL(/days=90/);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(inLanguage('/dashboard/revenue', 'ar-SA'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('الأرباح');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
