import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { expect, type Page, test } from 'playwright/test';
import { joinGame } from '../agents/testing/minecraft-bot.ts';
import { cairn } from './cairn.ts';
import { endPeriod } from './expire-subscription.ts';

/** The life of a rented server: order, setup, playing with a real client, restart, stop, export of all data. */
test.describe.configure({ mode: 'serial' });
let server = '';
const who = `renter${Date.now().toString(36)}`;
const word = 'nine-warm-stones';

test.beforeAll(async () => {
  const given = ['--username', who, '--email', `${who}@example.org`, '--password', word];
  await cairn('user', 'create', ...given);
});

async function signIn(page: Page, redirect: string): Promise<void> {
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(redirect)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a user orders a server, plays on it and stops it', async ({ page }) => {
  test.setTimeout(420_000); // the first one on a machine waits for its image
  await signIn(page, '/servers/buy');
  const goOn = page.getByRole('button', { name: 'Continue' });
  await page.getByText('Small', { exact: true }).click();
  await goOn.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose a region');
  await goOn.click();
  await page.getByText('Visa ending in 4242').click();
  await goOn.click();
  await page.getByLabel('Name').fill('Lantern valley');
  await page.getByLabel('I accept the game’s EULA').check();
  await page.getByRole('button', { name: /^Pay / }).click();

  // the order ends on the panel, which starts it by itself
  await expect(page).toHaveURL(/\/servers\/manage\/\w{8}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lantern valley');
  server = new URL(page.url()).pathname.split('/')[3]!;
  const state = page.getByRole('main').locator('.badge').first();
  await expect(state).toHaveText('Running', { timeout: 300_000 });
  const lines = page.getByRole('region', { name: 'Console' });
  await expect(lines).toContainText(/Done \([\d.]+s\)!/);

  const address = await page.getByRole('button', { name: 'Copy address' }).textContent();
  const [, host = '', port = ''] = /([\w.]+):(\d+)/.exec(address!) ?? [];
  const bot = await joinGame({ host, port: Number(port) }, 'Mirelle');
  try {
    await expect(lines).toContainText('Mirelle');
    bot.chat('the lanterns are lit');
    await expect(lines).toContainText('the lanterns are lit');
    const command = page.getByLabel('Command', { exact: true });
    await command.fill('say welcome home');
    await command.press('Enter');
    await bot.waitForText(/welcome home/);
  } finally {
    await bot.leave();
  }

  await page.getByRole('button', { name: 'Restart' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await expect(lines).toContainText('Server restarted', { timeout: 60_000 });
  await expect(state).toHaveText('Running', { timeout: 60_000 });
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(state).toHaveText('Stopped', { timeout: 60_000 });
});

test('after cancelling, a user downloads all data at the end of the period, once', async ({ page }) => {
  const billing = `/servers/manage/${server}/options/billing`;
  await signIn(page, billing);
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel your subscription?' });
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByRole('main')).toContainText('Canceled, runs until');
  await endPeriod(server);
  await expect(async () => {
    await page.goto(billing);
    await expect(page.getByRole('main')).toContainText('Suspended, files kept until', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download everything' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Lantern valley.tar.zst');
  const archive = zstdDecompressSync(readFileSync(await file.path()));
  const names = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' }).split('\n');
  expect(names).toContain('server.properties');
  expect(names.filter((name) => /^world\/.+\/r\.0\.0\.mca$/.test(name))).toHaveLength(1);
  expect((await page.request.get(file.url())).status(), 'the address again').toBe(404);
});
