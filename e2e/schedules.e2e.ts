import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { unreachable } from './page-checks.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** Schedules of a server: made in the panel, run there, and told by its history. */
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Zoisite' });
});
test.afterAll(() => server?.close());

const state = (page: Page) => page.getByRole('main').locator('.badge').first();

test('a schedule is made, run, and tells how it went', async ({ page }) => {
  const { id, renter, command, node } = server;
  const path = `${server.address}/schedules`;
  await server.open(page, path);
  await expect(page.getByText('No schedules yet')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // a useful one, changed by hand
  await page.getByRole('button', { name: 'Nightly restart' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('At 04:00 AM, every day')).toBeVisible();
  await expect(dialog.getByText('Next:')).toBeVisible();
  const often = dialog.getByLabel('How often');
  const cron = dialog.getByLabel('Cron expression');
  await expect(cron).toHaveCount(0);
  await often.selectOption('own');
  await cron.fill('* * * * * *');
  await expect(dialog.getByText('This expression has six fields')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await cron.fill('15 5 * * 0');
  await expect(often).toHaveValue('own');
  await often.selectOption('weekly');
  await dialog.getByLabel('Time', { exact: true }).fill('06:30');
  await expect(dialog.getByText('At 06:30 AM, only on Sunday')).toBeVisible();
  await dialog.getByLabel('Time zone').fill('Mars/Base');
  await expect(dialog.getByText('Mars/Base isn’t a known time zone')).toBeVisible();
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByLabel('Seconds for step 2').fill('1');
  await dialog.getByLabel('Action for step 3').selectOption('start');
  await dialog.getByRole('button', { name: 'Remove step 1' }).click();
  await dialog.getByRole('button', { name: 'Add step' }).click();
  await dialog.getByLabel('Command for step 3').fill('say the schedule speaks');
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const line = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Nightly restart' }) });
  await expect(line.getByText('At 06:30 AM, only on Sunday')).toBeVisible();

  // one that somebody else adds is there at once
  const monthly = ['--name', 'Monthly', '--cron', '0 3 1 * *', '--timezone', 'UTC', '--step', 'wait 1'];
  await command('schedule', 'add', id, ...monthly);
  await expect(page.getByRole('heading', { name: 'Monthly' })).toBeVisible();

  // its run is seen live: it starts the server, and speaks
  await line.getByRole('button', { name: 'Run now: Nightly restart' }).click();
  await expect(line.locator('.badge')).toHaveText('Running');
  await expect(line.locator('.badge')).toHaveText('Done', { timeout: 60_000 });
  await expect(state(page)).toHaveText('Running');
  expect(node.typed).toEqual(['say the schedule speaks']);
  await line
    .getByRole('button', { name: 'More actions of Nightly restart' })
    .or(line.locator('summary'))
    .first()
    .click();
  await page.getByRole('button', { name: 'History' }).click();
  await expect(dialog.getByText(`run by ${renter.username}`)).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Start the server' }).last()).toContainText(
    'done',
  );
  await page.keyboard.press('Escape');
  await line.getByRole('switch').click();
  await expect(line.getByText('Off', { exact: true })).toBeVisible();
  expect(await page.evaluate(unreachable)).toEqual([]);

  await page.setViewportSize({ width: 390, height: 800 });
  for (const language of ['en-US', 'ar-SA']) {
    await page.goto(inLanguage(path, language));
    await expect(page.getByRole('heading', { name: 'Nightly restart' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
  expect(await axeFinds(page)).toEqual([]);
});
