import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { type Download, expect, type Page, test } from 'playwright/test';
import type { Place } from '../agents/local-kind/bot.ts';
import { type Bot, joinGame } from '../agents/testing/minecraft-bot.ts';
import { type Account, newAccount, signInAs } from './accounts.ts';
import { cairn } from './cairn.ts';
import { publishMod } from './content-fixture.ts';
import { endPeriod } from './expire-subscription.ts';

/**
 * The life of a rented server, with a real game and a real player: it is ordered, played on, backed up, restored, changed, run by
 * a schedule, stopped, and taken away at the end of its period. What goes wrong on the way is in the tests of each page.
 */
let renter: Account;
let id = '';

test.beforeAll(async () => {
  renter = await newAccount('renter');
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', renter.token, 'delete', id))));

const main = (page: Page) => page.getByRole('main');
const state = (page: Page) => main(page).locator('.badge').first();
const console = (page: Page) => page.getByRole('region', { name: 'Console' });
const dialog = (page: Page) => page.getByRole('dialog');
const isRunning = (page: Page) => expect(state(page)).toHaveText('Running', { timeout: 120_000 });
const visit = (page: Page, path = '') => page.goto(`/servers/manage/${id}${path}`);

/** A player who has joined, at the address that the panel shows. */
async function player(page: Page, name: string): Promise<Bot> {
  const address = await page.getByRole('button', { name: 'Copy address' }).textContent();
  const [, host = '', port = ''] = /([\w.]+):(\d+)/.exec(address!) ?? [];
  return await joinGame({ host, port: Number(port) }, name);
}

/** The names of what is in a downloaded archive. */
async function namesIn(download: Download): Promise<string[]> {
  const input = zstdDecompressSync(readFileSync(await download.path()));
  return execFileSync('tar', ['-tf', '-'], { input, encoding: 'utf8' }).split('\n');
}
const isRegion = (name: string) => /^world\/.+\.mca$/.test(name);

async function order(page: Page): Promise<void> {
  await page.goto('/servers/buy');
  const goOn = page.getByRole('button', { name: 'Continue' });
  await page.getByText('Small', { exact: true }).click();
  await goOn.click();
  // nobody chooses the only region, and other tests add some
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText(/^Choose (a region|how to pay)$/);
  if ((await title.textContent()) === 'Choose a region') {
    await page.getByRole('radio', { name: 'North America' }).check();
    await goOn.click();
  }
  await expect(title).toHaveText('Choose how to pay');
  const card = page.getByText('Visa ending in 4242').first();
  if (!(await card.isVisible())) await page.getByText('Another card', { exact: true }).click();
  await card.click();
  await goOn.click();
  await page.getByLabel('Name').fill('Lantern valley');
  await page.getByLabel('I accept the game’s EULA').check();
  await page.getByRole('button', { name: /^Pay / }).click();
  await expect(page).toHaveURL(/\/servers\/manage\/\w{8}$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Lantern valley');
  id = new URL(page.url()).pathname.split('/')[3]!;
}

/** Chats, and hears what is typed into the console. */
async function play(page: Page, bot: Bot): Promise<void> {
  await expect(console(page)).toContainText('Mirelle');
  bot.chat('the lanterns are lit');
  await expect(console(page)).toContainText('the lanterns are lit');
  await type(page, 'say welcome home');
  await bot.waitForText(/welcome home/);
}
async function type(page: Page, text: string): Promise<void> {
  const command = page.getByLabel('Command', { exact: true });
  await command.fill(text);
  await command.press('Enter');
}

const backup = (page: Page, name: string | RegExp) =>
  page
    .getByRole('list', { name: 'Backups' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
async function isMade(page: Page, name: string | RegExp): Promise<void> {
  await expect(backup(page, name)).toHaveAttribute('data-state', /done|unchanged/, { timeout: 120_000 });
  await expect(backup(page, name)).not.toContainText('Failed');
}

/**
 * While it runs, with a player in the world; then the world is changed, and the backup brings it back. The server itself tells
 * the player of the change: what a player digs is gone for that player whatever the server does.
 */
async function backUpAndRestore(page: Page, bot: Bot): Promise<void> {
  await visit(page, '/backups');
  await page.getByRole('button', { name: 'Create backup' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Before the gold');
  await page.keyboard.press('Enter');
  await isMade(page, 'Before the gold');
  await expect(backup(page, 'Before the gold')).toContainText(/\d files?/);
  const [x, y, z] = (await bot.where()).place;
  const place: Place = [x, y + 2, z];
  await visit(page);
  await type(page, `setblock ${place.join(' ')} gold_block`);
  await expect.poll(() => bot.blockAt(place)).toBe('gold_block');
  await bot.leave();

  await visit(page, '/backups');
  await backup(page, 'Before the gold').getByRole('button', { name: 'Restore' }).click();
  await dialog(page).getByRole('button', { name: 'Stop and restore' }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(backup(page, 'Before the gold')).toHaveAttribute('data-state', 'restoring');
  await isMade(page, 'Before the gold');
  await expect(backup(page, /^Backup #\d+$/)).toContainText('Before a restore');
  await isRunning(page);
  const next = await player(page, 'Digger');
  try {
    // that part of the world has to arrive first
    await expect.poll(() => next.blockAt(place), { timeout: 30_000 }).not.toBeNull();
    expect(await next.blockAt(place)).not.toBe('gold_block');
  } finally {
    await next.leave();
  }
}

async function takeBackupsAway(page: Page): Promise<void> {
  const line = backup(page, 'Before the gold');
  await line.locator('summary').last().click();
  await line.getByRole('button', { name: 'Verify' }).click();
  await expect(line).toContainText('Verified', { timeout: 120_000 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Before the gold' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.tar\.zst$/);
  const names = await namesIn(file);
  expect(names).toContain('server.properties');
  expect(names.some(isRegion)).toBe(true);
  await isMade(page, 'Before the gold');

  await page.getByRole('button', { name: 'Create archive' }).click();
  await isMade(page, 'Export #1');
  const [all] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Export #1' }).click(),
  ]);
  // two frames of zstd: the manifest stands before the archive
  const everything = execFileSync('tar', ['--zstd', '-tf', await all.path()], { encoding: 'utf8' }).split(
    '\n',
  );
  expect(everything[0]).toBe('cairn-server.json');
  expect(everything.some(isRegion)).toBe(true);
}

/** The running server becomes one with a loader, gets a mod, and loads it. */
async function addMod(page: Page, mod: { slug: string; file_name: string }): Promise<void> {
  await visit(page, '/options/loader');
  await page.getByLabel('Loader', { exact: true }).selectOption('fabric');
  await page.getByLabel('Create a backup first').uncheck();
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await expect(page.locator('.facts').first()).toContainText('Fabric', { timeout: 120_000 });
  await isRunning(page);
  await page.goto(`/mod/${mod.slug}`);
  await page.getByRole('link', { name: 'Install on a server' }).click();
  await page.getByRole('link', { name: 'Lantern valley' }).click();
  await dialog(page).getByRole('button', { name: 'Install' }).click();
  await expect(page.getByText('Installation of 1 file').first()).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Restart', exact: true }).first().click();
  await dialog(page).getByRole('button', { name: 'Restart' }).click();
  await visit(page);
  await expect(console(page)).toContainText(`Loaded mod ${mod.file_name}`, { timeout: 60_000 });
  await isRunning(page);
}

async function schedule(page: Page): Promise<void> {
  const yearly = ['--name', 'Bell', '--cron', '0 3 1 1 *', '--timezone', 'UTC'];
  const steps = ['--step', 'command say the bell rings'];
  await cairn('server', '--token', renter.token, 'schedule', 'add', id, ...yearly, ...steps);
  await visit(page, '/schedules');
  await page.getByRole('button', { name: 'Run now: Bell' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Bell' }).locator('.badge')).toHaveText('Done', {
    timeout: 60_000,
  });
  await visit(page);
  await expect(console(page)).toContainText(/\[.*\].*the bell rings/);
}

/** After the end of its period all of it can be downloaded, once. */
async function endSubscription(page: Page): Promise<void> {
  await visit(page, '/options/billing');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const question = page.getByRole('dialog', { name: 'Cancel your subscription?' });
  await question.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(main(page)).toContainText('Canceled, runs until');
  await endPeriod(id);
  await expect(async () => {
    await visit(page, '/options/billing');
    await expect(main(page)).toContainText('Suspended, files kept until', { timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download everything' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Lantern valley.tar.zst');
  const names = await namesIn(file);
  expect(names).toContain('server.properties');
  expect(names.filter((name) => /^world\/.+\/r\.0\.0\.mca$/.test(name))).toHaveLength(1);
  expect((await page.request.get(file.url())).status(), 'the address again').toBe(404);
}

test('a user orders a server, plays on it, and takes everything away at the end', async ({
  page,
  request,
}) => {
  test.setTimeout(900_000); // the first one on a machine waits for its image
  await signInAs(page, renter.username);
  await test.step('orders it, and it starts by itself', async () => {
    await order(page);
    await expect(state(page)).toHaveText('Running', { timeout: 300_000 });
    await expect(console(page)).toContainText(/Done \([\d.]+s\)!/);
  });
  await test.step('plays, backs up, changes the world and restores it', async () => {
    const bot = await player(page, 'Mirelle');
    try {
      await play(page, bot);
      await backUpAndRestore(page, bot);
    } finally {
      await bot.leave();
    }
  });
  await test.step('takes backups away', () => takeBackupsAway(page));
  await test.step('adds a mod', async () => {
    // a word that no test searches for
    const file_name = `quern-${Date.now().toString(36)}.jar`;
    const name = `Quern ${Date.now().toString(36)}`;
    const { game_version } = JSON.parse(await cairn('server', '--token', renter.token, 'show', id, '--json'));
    const { slug } = await publishMod(request, { name, version_number: '1.0', file_name, game_version });
    await addMod(page, { slug, file_name });
  });
  await test.step('runs a schedule', () => schedule(page));
  await test.step('stops it', async () => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Stop' }).click();
    await expect(state(page)).toHaveText('Stopped', { timeout: 60_000 });
  });
  await test.step('cancels, and downloads everything', () => endSubscription(page));
});
