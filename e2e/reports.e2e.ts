import { expect, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { projectFixture } from './project-fixture.ts';

/** A report from the menu of a project to the answer of its thread. */
test('a project is reported from its menu, once; moderators answer, close it and open it again', async ({
  page,
  browser,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path, slug } = await projectFixture(request, 'reported', {});
  await signInAs(page, (await newAccount('reporter')).username);
  await page.goto('/dashboard/reports');
  await expect(page.getByText('No reports yet')).toBeVisible();
  await page.goto(path);
  await page.getByLabel('More actions').or(page.locator('.acts summary.quiet')).first().click();
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  const name = page.getByRole('link', { name: `Made ${slug}` });
  await expect(name).toBeVisible();
  await page.getByRole('radio', { name: /Malicious/ }).check();
  await page.getByRole('button', { name: 'Send report' }).click();
  const body = page.getByRole('textbox', { name: 'What happened' });
  await expect(page.locator('[data-wrong=body]')).not.toBeEmpty();
  await body.fill('It **opens** a connection.');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Report sent')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Report: Made ${slug}`);
  await expect(page.getByText('Pending')).toBeVisible();
  await expect(page.locator('.report-facts strong')).toHaveText('opens');
  expect(await axeFinds(page)).toEqual([]);

  await page.goto('/report');
  await page.getByLabel('Its ID, name in the URL, or link').fill(slug);
  await expect(page.getByText('You already reported this.')).toBeVisible();
  await page.getByRole('link', { name: 'Open your report' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Report: Made ${slug}`);
  await page.goto('/dashboard/reports');
  await page.getByRole('link', { name: `Made ${slug}` }).click();
  await expect(page).toHaveURL(/report\/\w+/);
  const id = /report\/(\w+)/.exec(page.url())![1]!;

  const desk = await browser.newPage();
  await signInAs(desk, demoAccounts[1]!);
  await desk.goto(`/moderation/reports?view=unread&q=${slug}`);
  await expect(desk.getByText('1 report', { exact: true })).toBeVisible();
  await desk.getByRole('link', { name: `Made ${slug}` }).click();
  await expect(desk.getByRole('heading', { level: 1 })).toHaveText(`Report: Made ${slug}`);
  const reply = desk.getByRole('textbox', { name: 'Your message' });
  await desk.locator('[data-editor][data-ready]').waitFor();
  await reply.fill('Third one of this account.');
  await desk.getByLabel('Private note: only moderators see it').check();
  expect(await axeFinds(desk)).toEqual([]);
  await desk.getByRole('button', { name: 'Send message' }).click();
  await expect(desk.locator('.message.private')).toContainText('Third one of this account.');
  await desk.locator('[data-editor][data-ready]').waitFor();
  await desk.getByText('Insert a reply').click();
  await desk.getByRole('link', { name: 'Author alerted' }).click();
  await expect(reply).toContainText(`Made ${slug}`);
  await desk.getByRole('button', { name: 'Send and close report' }).click();
  await expect(desk.getByText('closed this thread.')).toBeVisible();
  await desk.goto(`/moderation/reports?q=${id}`);
  await expect(desk.getByRole('link', { name: `Made ${slug}` })).toBeVisible();

  // the reporter's page shows by itself what was written, without the note and without a name
  await page.bringToFront();
  await expect(page.locator('.messages')).toContainText('Thank you for telling us.', { timeout: 40_000 });
  await expect(page.locator('.messages')).toContainText('Moderators');
  await expect(page.locator('.messages')).not.toContainText('Third one');
  await page.reload();
  await expect(page.getByText('This report is closed. Nobody can write here anymore.')).toBeVisible();

  await desk.goto(`/moderation/reports/${id}`);
  await desk.getByRole('button', { name: 'Open report again' }).click();
  await expect(desk.getByText('opened this thread again.')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('textbox', { name: 'Your message' })).toBeVisible();
  expect((await page.request.get(`/moderation/reports/${id}`)).status()).toBe(404);
  await desk.close();
});

test('members have no entry to report their own project', async ({ page, request }) => {
  const { path } = await projectFixture(request, 'own', {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(path);
  await expect(page.locator('html[data-member]')).toBeAttached();
  await expect(page.locator('.menu > .report').first()).toHaveCSS('display', 'none');
});
