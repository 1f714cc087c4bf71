import { expect, test } from 'playwright/test';
import { demoAccounts } from '../db/demo/demo.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { projectFixture } from './project-fixture.ts';
import { address_text, typeAddress } from './typed-text.ts';

/** What a browser adds to reports; the whole course of one is in `site/moderation/reports/reports.page.test.ts`. */
test('a project is reported from its menu, once; the answer of a moderator appears by itself', async ({
  page,
  browser,
  request,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const { path, slug } = await projectFixture(request, 'reported', {});
  await signInAs(page, (await newAccount('reporter')).username);
  await page.goto(path);
  await page.getByLabel('More actions').or(page.locator('.acts summary.quiet')).first().click();
  await page.getByRole('link', { name: 'Report', exact: true }).click();
  const name = page.getByRole('link', { name: `Made ${slug}` });
  await expect(name).toBeVisible();
  await page.getByRole('radio', { name: /Malicious/ }).check();
  await page.getByRole('button', { name: 'Send report' }).click();
  const body = page.getByRole('textbox', { name: 'What happened' });
  await expect(page.locator('[data-wrong=body]')).not.toBeEmpty();
  await body.click();
  await typeAddress(page);
  await expect(body).toHaveText(`/ ${address_text}`);
  await body.fill('It **opens** a connection.');
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Report sent')).toBeVisible();

  await page.goto('/report');
  await page.getByLabel('Link, ID or username').fill(slug);
  await expect(page.getByText('You already reported this.')).toBeVisible();
  await page.clock.install();
  await page.getByRole('link', { name: 'Open your report' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Report: Made ${slug}`);
  await expect(page.locator('[data-editor][data-ready]')).toBeAttached();
  expect(await axeFinds(page)).toEqual([]);
  const id = /report\/(\w+)/.exec(page.url())![1]!;

  const desk = await browser.newPage();
  await signInAs(desk, demoAccounts[1]!);
  await desk.goto(`/moderation/reports/${id}`);
  await desk.locator('[data-editor][data-ready]').waitFor();
  await desk.getByRole('textbox', { name: 'Your message' }).click();
  await typeAddress(desk);
  await expect(desk.getByRole('textbox', { name: 'Your message' })).toHaveText(`/ ${address_text}`);
  await desk.keyboard.press('ControlOrMeta+a');
  await desk.keyboard.press('Delete');
  await desk.getByText('Insert a reply').click();
  expect(await axeFinds(desk)).toEqual([]);
  await desk.getByRole('link', { name: 'Author alerted' }).click();
  await expect(desk.getByRole('textbox', { name: 'Your message' })).toContainText(`Made ${slug}`);
  await desk.getByRole('button', { name: 'Send and close report' }).click();
  await expect(desk.getByText('closed this thread.')).toBeVisible();
  await desk.close();

  // its page asks every quarter of a minute
  await page.bringToFront();
  await expect(page.locator('.messages')).not.toContainText('Thank you for telling us.');
  await page.clock.fastForward(16_000);
  await expect(page.locator('.messages')).toContainText('Thank you for telling us.');
});

test('members have no entry to report their own project', async ({ page, request }) => {
  const { path } = await projectFixture(request, 'own', {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(path);
  await expect(page.locator('html[data-member]')).toBeAttached();
  await expect(page.locator('.menu > .report').first()).toHaveCSS('display', 'none');
});
