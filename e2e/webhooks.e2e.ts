import { expect, type Page, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { main, title } from './buyer.ts';
import { projectFixture } from './project-fixture.ts';

/** Somebody sets up a webhook of a project, tests it, reads its log and deletes it. */
const create = (page: Page) => main(page).getByRole('button', { name: 'Create webhook' });

test('a webhook is created, tested, changed and deleted', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path } = await projectFixture(request, 'hooks', {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(`${path}/settings/webhooks`);
  await expect(title(page)).toHaveText('Webhooks');
  await page.getByLabel('Name').fill('Build');
  await page.getByLabel('URL', { exact: true }).fill('http://10.0.0.1/');
  await create(page).click();
  await expect(page.getByLabel('URL', { exact: true })).toHaveAccessibleDescription(
    /public URL that starts with https/,
  );
  await page.getByLabel('URL', { exact: true }).fill('https://hooks.example.invalid/secret-part');
  await page.getByLabel('Version published').uncheck();
  await create(page).click();
  await expect(page.getByText('Choose at least one event')).toBeVisible();
  await page.getByLabel('Gallery changed').check();
  await create(page).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  expect(await page.content()).not.toContain('secret-part');

  await page.getByRole('button', { name: 'Send test' }).click();
  const call = page.locator('#log li');
  await expect(call.getByText('Failed')).toBeVisible();
  await call.locator('summary').click();
  await expect(call).toContainText('The URL doesn’t exist or isn’t public.');
  expect(await axeFinds(page)).toEqual([]);
  // the page before says the same: what is typed has to go into the one that follows
  const next = page.waitForEvent('load');
  await call.getByRole('button', { name: 'Send again' }).click();
  await next;
  await expect(page.getByText('Call queued')).toBeVisible();

  // the page shows the answer when it comes, by loading itself again
  await expect(page.locator('[data-webhook-log]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  await page.getByLabel('Name').fill('Builds');
  await page.getByLabel('Send calls').uncheck();
  await expect(page.getByLabel('Name')).toHaveValue('Builds');
  await page.locator('[data-unsaved]').getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  await page.getByRole('link', { name: 'Back to all webhooks' }).click();
  await expect(page.getByRole('link', { name: /Builds.*Off/ })).toBeVisible();
  await page.getByRole('link', { name: /Builds/ }).click();
  await page.locator('summary', { hasText: 'New secret' }).click();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.locator('summary', { hasText: 'Delete webhook' }).click();
  await page.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('Webhook deleted')).toBeVisible();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});
