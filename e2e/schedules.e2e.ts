import { expect, type Page, test } from 'playwright/test';
import type { RunView } from '../db/servers/schedules/view.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { unreachable } from './page-checks.ts';
import { inLanguage } from './pages.ts';

/** Schedules of a real server: made in the panel, run there, and told by its history. */
const who = `zoisite${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Zoisite', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

const state = (page: Page) => page.getByRole('main').locator('.badge').first();

test('a schedule is made, run, and tells how it went', async ({ page }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  const path = `/servers/manage/${id}/schedules`;
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(path)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(state(page)).toHaveText('Stopped', { timeout: 300_000 });
  await expect(page.getByText('No schedules yet')).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // a useful one, changed by hand
  await page.getByRole('button', { name: 'Nightly restart' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('At 04:00, every day')).toBeVisible();
  await expect(dialog.getByText('Next:')).toBeVisible();
  const cron = dialog.getByLabel('Cron expression');
  await cron.fill('* * * * * *');
  await expect(dialog.getByText('This expression has six fields')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await cron.fill('15 5 * * 0');
  await expect(dialog.getByLabel('How often')).toHaveValue('weekly');
  await dialog.getByLabel('Time', { exact: true }).fill('06:30');
  await expect(cron).toHaveValue('30 6 * * 0');
  await expect(dialog.getByText('At 06:30, only on Sunday')).toBeVisible();
  await dialog.getByLabel('Time zone').fill('Mars/Base');
  await expect(dialog.getByText('Mars/Base isn’t a time zone')).toBeVisible();
  await dialog.getByLabel('Time zone').fill('Europe/Berlin');
  await dialog.getByLabel('Seconds of step 2').fill('1');
  await dialog.getByLabel('Action of step 3').selectOption('start');
  await dialog.getByRole('button', { name: 'Remove step 1' }).click();
  await dialog.getByRole('button', { name: 'Add step' }).click();
  await dialog.getByLabel('Command of step 3').fill('say the schedule speaks');
  expect(await axeFinds(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  const line = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: 'Nightly restart' }) });
  await expect(line.getByText('At 06:30, only on Sunday')).toBeVisible();

  // one that somebody else adds is there at once; it runs by itself while this goes on
  const everyMinute = ['--name', 'Minutely', '--cron', '* * * * *', '--timezone', 'UTC', '--step', 'wait 1'];
  await cairn('server', '--token', token, 'schedule', 'add', id, ...everyMinute);
  await expect(page.getByRole('heading', { name: 'Minutely' })).toBeVisible();

  // its run is seen live: it starts the server, and speaks
  await line.getByRole('button', { name: 'Run now: Nightly restart' }).click();
  await expect(line.locator('.badge')).toHaveText('Running');
  await expect(line.locator('.badge')).toHaveText('Done', { timeout: 120_000 });
  await expect(state(page)).toHaveText('Running');
  const logs = await cairn('server', '--token', token, 'logs', id);
  expect(logs).toContain('the schedule speaks');
  await line
    .getByRole('button', { name: 'More actions of Nightly restart' })
    .or(line.locator('summary'))
    .first()
    .click();
  await page.getByRole('button', { name: 'History' }).click();
  await expect(dialog.getByText(`run by ${who}`)).toBeVisible();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'Start the server' }).last()).toContainText(
    'done',
  );
  await page.keyboard.press('Escape');
  await line.getByRole('switch').click();
  await expect(line.getByText('Off', { exact: true })).toBeVisible();
  expect(await page.evaluate(unreachable)).toEqual([]);

  const history = async (): Promise<RunView[]> =>
    JSON.parse(await cairn('server', '--token', token, 'schedule', 'history', id, 'Minutely', '--json'));
  await expect
    .poll(history, { timeout: 120_000 })
    .toContainEqual(expect.objectContaining({ trigger: 'time', outcome: 'done', count: 1 }));
  // on the minute that it was due, or moments later
  for (const run of await history())
    expect(Date.parse(run.began)).toBeGreaterThanOrEqual(Date.parse(run.due));

  await page.setViewportSize({ width: 390, height: 800 });
  for (const language of ['en-US', 'ar-SA']) {
    await page.goto(inLanguage(path, language));
    await expect(page.getByRole('heading', { name: 'Nightly restart' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await axeFinds(page)).toEqual([]);
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/390-${language}.png`, fullPage: true });
  }
  if (process.env.PICTURES) {
    for (const [name, width, colorScheme] of [
      ['light', 1280, 'light'],
      ['dark', 1280, 'dark'],
      ['phone', 390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.goto(inLanguage(path, 'de-DE'));
      await expect(page.getByText('Um 06:30')).toBeVisible();
      await page.screenshot({ path: `${process.env.PICTURES}/${name}.png`, fullPage: true });
      await page.locator('main summary').last().click();
      await page.getByRole('button', { name: 'Bearbeiten' }).click();
      await expect(page.getByRole('dialog').getByText('Um 06:30')).toBeVisible();
      await page.screenshot({ path: `${process.env.PICTURES}/${name}-editor.png` });
      await page.keyboard.press('Escape');
    }
  }
});
