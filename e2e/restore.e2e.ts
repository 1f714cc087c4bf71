import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { expect, type Page, test } from 'playwright/test';
import { type Bot, joinGame } from '../agents/testing/minecraft-bot.ts';
import { cairn } from './cairn.ts';

/** A world is broken and restored on a real server: a player sees the hole, then the block, then the hole again. */
const who = `digger${Date.now().toString(36)}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';

test.beforeAll(async () => {
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Quarry', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

/** A player who has joined, at the address that the page shows. */
async function player(page: Page): Promise<Bot> {
  const address = await page.getByRole('button', { name: 'Copy address' }).textContent();
  const [, host = '', port = ''] = /([\w.]+):(\d+)/.exec(address!) ?? [];
  return await joinGame({ host, port: Number(port) }, 'Digger');
}

/** What a fresh player finds there; asked until that part of the world has arrived. */
async function blockSeen(page: Page, place: Parameters<Bot['blockAt']>[0]): Promise<string | null> {
  const bot = await player(page);
  try {
    let block: string | null = null;
    await expect(async () => {
      block = await bot.blockAt(place);
      expect(block).not.toBeNull();
    }).toPass({ timeout: 30_000 });
    return block;
  } finally {
    await bot.leave();
  }
}

test('a broken world is restored, and what was there before the restore too', async ({ page }) => {
  test.setTimeout(600_000); // the first server on a machine waits for its image
  await page.goto(`/auth/sign-in?redirect=/servers/manage/${id}/backups`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const state = page.getByRole('main').locator('.badge').first();
  const list = page.getByRole('list', { name: 'Backups' });
  const line = (name: string | RegExp) =>
    list.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });
  const ready = async (name: string | RegExp) => {
    await expect(line(name)).toHaveAttribute('data-state', /done|unchanged/, { timeout: 120_000 });
    await expect(line(name)).not.toContainText('Failed');
  };
  const restore = async (name: string | RegExp, hasSafety: boolean) => {
    await line(name).getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore this backup?' });
    await dialog.getByLabel('Back up the current files first').setChecked(hasSafety);
    await dialog.getByRole('button', { name: 'Stop and restore' }).click();
    await expect(dialog).toBeHidden();
    await expect(line(name)).toHaveAttribute('data-state', 'restoring');
    await ready(name);
    await expect(state).toHaveText('Running', { timeout: 120_000 });
  };

  await expect(state).toHaveText('Stopped', { timeout: 300_000 });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state).toHaveText('Running', { timeout: 120_000 });
  const digger = await player(page);
  try {
    // while it runs, with a player in the world
    await page.getByRole('button', { name: 'Create backup' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Before the hole');
    await page.keyboard.press('Enter');
    await ready('Before the hole');
    await expect(line('Before the hole')).toContainText(/\d files?/);
    const place = await digger.dig(2, 2);
    await expect.poll(() => digger.blockAt(place)).toBe('air');
    await digger.leave();

    await restore('Before the hole', true);
    expect(await blockSeen(page, place), 'after the restore').not.toBe('air');
    const safety = line(/^Backup #\d+$/);
    await expect(safety).toContainText('Before a restore');
    await restore(/^Backup #\d+$/, false);
    expect(await blockSeen(page, place), 'after going back').toBe('air');
  } finally {
    await digger.leave();
  }

  await line('Before the hole').locator('summary').last().click();
  await line('Before the hole').getByRole('button', { name: 'Verify' }).click();
  await expect(line('Before the hole')).toContainText('Verified', { timeout: 120_000 });
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Before the hole' }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/\.tar\.zst$/);
  const archive = zstdDecompressSync(readFileSync(await file.path()));
  const names = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' });
  expect(names).toMatch(/server\.properties/);
  expect(names).toMatch(/world\/.+\.mca/);
  await ready('Before the hole');

  await page.getByRole('button', { name: 'Make the archive' }).click();
  await ready('Export #1');
  const [all] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download Export #1' }).click(),
  ]);
  const everything = execFileSync('tar', ['--zstd', '-tf', await all.path()], { encoding: 'utf8' });
  expect(everything).toMatch(/^cairn-server\.json\n/);
  expect(everything).toMatch(/world\/.+\.mca/);

  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(state).toHaveText('Stopped', { timeout: 60_000 });
});
