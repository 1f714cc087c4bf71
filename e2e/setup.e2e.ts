import { pino } from 'pino';
import { expect, type Page, test } from 'playwright/test';
import { defaultVersion } from '../db/hosting/server-kinds/rules.ts';
import { checkout } from '../db/money/billing/checkout.ts';
import { openQueue } from '../db/platform/jobs/queue.ts';
import { orderInput, slowCard, testBilling } from '../db/testing/billing.ts';
import { actorFor } from '../db/testing/builders/build.ts';
import { newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { main, serverName, serverOfPanel, signedInBuyer, terms, title, toReview } from './buyer.ts';
import { cairn } from './cairn.ts';
import { databaseAddress, withDatabase } from './database.ts';
import { type ScriptedNode, scriptedNode } from './scripted-node.ts';
import { holdPayment, settlePayment } from './settle-payment.ts';

/** From a paid order to a running server, on the panel; the agent is scripted by the test. */
const name = `setup-${Date.now().toString(36)}`;
let node: ScriptedNode;

test.beforeAll(async () => {
  const where = ['--region', 'western-europe', '--address', 'play.example.org', '--bind', '127.0.0.1'];
  const command = await cairn('node', 'add', name, ...where, '--overcommit', '20', '--ports', '24700-24720');
  node = await scriptedNode(/--join (\S+)/.exec(command)![1]!, { installs: false });
});
test.afterAll(async () => {
  node?.close();
  await cairn('node', 'drain', name);
});

const step = (page: Page) => main(page).getByRole('listitem').and(page.locator('[aria-current=step]'));

/** Somebody new orders a server, without the pages for it, and is on its panel. */
async function order(page: Page, called: string, { waits = false } = {}) {
  const buyer = await newAccount('buyer');
  const input = orderInput({ name: called, region: 'western-europe', game_version: defaultVersion('local') });
  const id = await withDatabase(async (sql) => {
    const board = await openQueue(databaseAddress(), pino({ level: 'warn' }));
    const context = { ...testBilling({ sql }), sql, board };
    try {
      const { server_id } = await checkout(
        context,
        actorFor(buyer),
        input,
        waits ? slowCard : null,
        new Date(),
      );
      return server_id!;
    } finally {
      await board.close();
    }
  });
  if (waits) await holdPayment(id);
  await signInAs(page, buyer.username);
  await page.goto(`/servers/manage/${id}`);
  return id;
}

test('an order ends in a server that runs and takes a command', async ({ page }) => {
  const width = 390;
  await page.setViewportSize({ width, height: 844 });
  await signedInBuyer(page, '/servers/buy?plan=small');
  await toReview(page, { region: 'Western Europe' });
  await serverName(page).fill('Long meadow');
  await terms(page).check();
  await page.getByRole('button', { name: 'Pay $12.00' }).click();
  const id = await serverOfPanel(page);
  await expect(title(page)).toHaveText('Long meadow');
  await expect(step(page)).toContainText('Installing');
  await expect.poll(() => node.specs.get(id)?.power).toBe('on');
  await expect(page.getByRole('status').filter({ hasText: 'Installing.' })).toHaveCount(1);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await node.installed(id);
  await expect(step(page)).toContainText('Starting');
  await node.power(id, 'starting');
  await node.print(id, ['Loading the world']);
  await expect(page.getByRole('region', { name: 'Console' })).toContainText('Loading the world');
  await page.reload();
  await expect(step(page)).toContainText('Starting');
  await node.power(id, 'running');
  await expect(main(page).getByText('Your server is running')).toBeVisible();
  await expect(main(page).getByText(/Join at .*play\.example\.org/)).toBeVisible();
  await expect(step(page)).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Resource usage' })).toBeVisible();
  const command = page.getByRole('combobox', { name: 'Command' });
  await command.fill('say hello');
  await command.press('Enter');
  await expect.poll(() => node.typed.at(-1)).toBe('say hello');
});

test('a payment that takes its time says so to its buyer, and the panel moves on by itself', async ({
  page,
  browser,
  baseURL,
}) => {
  const id = await order(page, 'Slow ford', { waits: true });
  await expect(step(page)).toContainText('Waiting for your payment');
  expect((await page.request.get(page.url())).status()).toBe(200);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  const other = await browser.newPage({ baseURL: baseURL! });
  await signInAs(other, (await newAccount('stranger')).username);
  expect((await other.request.get(`/servers/manage/${id}`)).status()).toBe(404);
  await other.close();
  await page.goto('/servers/manage');
  const line = main(page).getByRole('listitem').filter({ hasText: 'Slow ford' });
  await expect(line).toContainText('Payment pending');
  await line.getByRole('link', { name: 'Slow ford' }).click();
  await page.context().setOffline(true);
  await settlePayment(id, 'succeeded');
  await expect(step(page)).toContainText('Waiting for your payment');
  await page.context().setOffline(false);
  await expect(step(page)).toContainText('Installing');
  await expect(page.getByLabel('More', { exact: true })).toBeVisible();
});

test('a payment that fails later says what to do, with everything still chosen', async ({ page }) => {
  const id = await order(page, 'Dry ford', { waits: true });
  await expect(step(page)).toContainText('Waiting for your payment');
  await settlePayment(id, 'failed');
  await expect(main(page).getByText(/^Nothing was charged/)).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('link', { name: 'Order again' }).click();
  await expect(title(page)).toHaveText('Choose how to pay');
  // the card that failed is known: another one is asked for
  await page.getByRole('radio', { name: /4242/ }).check();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(serverName(page)).toHaveValue('Dry ford');
});

test('a setup that fails says what to do, and goes on when it works again', async ({ page }) => {
  const id = await order(page, 'Stony ford');
  await expect(step(page)).toContainText('Installing');
  await node.broken(id, 'image_missing');
  await expect(page.getByRole('heading', { name: 'Setup failed' })).toBeVisible();
  await expect(step(page)).toContainText('press Start');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  const before = node.specs.get(id)!.generation;
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect.poll(() => node.specs.get(id)!.generation).toBeGreaterThan(before);
  await node.installed(id);
  await expect(step(page)).toContainText('Starting');
});

test('without scripts the panel of an order says how far it is', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const id = await order(page, 'Quiet ford', { waits: true });
  await expect(step(page)).toContainText('Waiting for your payment');
  await settlePayment(id, 'succeeded');
  // the page asks for itself again
  await expect(step(page)).toContainText('Installing');
  await node.installed(id);
  await node.power(id, 'starting');
  await node.power(id, 'running');
  await expect(main(page).getByText('Running', { exact: true })).toBeVisible();
  await context.close();
});

test('billing stays in the panel, and canceling and deleting say what happens to the money', async ({
  page,
}) => {
  const id = await order(page, 'Mossy ford');
  await expect.poll(() => node.specs.has(id)).toBe(true);
  await node.installed(id);
  await node.power(id, 'starting');
  await node.power(id, 'running');
  await expect(main(page).getByText('Your server is running')).toBeVisible();
  await page.getByRole('link', { name: 'Options' }).first().click();
  await page.getByRole('link', { name: 'Billing' }).first().click();
  await expect(title(page)).toHaveText('Mossy ford');
  await expect(page.getByRole('link', { name: 'Billing', exact: true }).first()).toHaveAttribute(
    'aria-current',
    'page',
  );
  await expect(main(page).getByText(/^Paid until/)).toBeVisible();
  const payments = page.getByRole('region', { name: 'Payments' }).getByRole('listitem');
  await expect(payments).toHaveCount(1);
  await expect(payments).toContainText(/First payment.*Visa ending in 4242.*Paid.*\$12\.00/);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 1280, height: 900 });
  await node.power(id, 'stopped');
  await expect(main(page).getByText('Stopped', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel your subscription?' });
  await expect(cancel).toContainText('everything is kept for 7 days');
  await cancel.getByRole('button', { name: 'Keep subscription' }).click();
  await expect(cancel).toBeHidden();
  await expect(main(page).getByText(/^Paid until/)).toBeVisible();

  await page.getByLabel('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the server?' });
  await expect(dialog).toContainText(/It’s paid until \w+ \d+, \d{4}\. The remaining time isn’t refunded\./);
  expect(await axeFinds(page, { within: 'dialog' })).toEqual([]);
  await dialog.getByRole('link', { name: 'Download everything first' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/options\/billing#files$/);
  await page.getByLabel('More', { exact: true }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByLabel('Type the server’s name').fill('Mossy ford');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL(/\/servers\/manage$/);
  await expect(page.getByText('Mossy ford was deleted')).toBeVisible();
  await page.goto(`/servers/manage/${id}/options/billing`);
  await expect(main(page).getByText('Ended', { exact: true })).toBeVisible();
  await expect(payments).toHaveCount(1);
});
