import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from 'playwright/test';
import { answerRequests } from './answered-requests.ts';
import { axeFinds } from './axe.ts';
import { dialog, openFilesOf, row, toast } from './files-page.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { unreachable, untranslated } from './page-checks.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** How files come to a server: a whole folder over a broken line, by address, by SFTP; and what shows them. */
const own = mkdtempSync(join(tmpdir(), 'cairn-e2e-'));
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Ferry' });
});
test.afterAll(async () => {
  rmSync(own, { recursive: true, force: true });
  await server?.close();
});

const openFiles = (page: Page, query = '') => openFilesOf(page, server, query);

/** A folder on this machine with a hundred small files, ten folders of ten. */
function hundredFiles(): Map<string, string> {
  const content = new Map<string, string>();
  for (let i = 0; i < 100; i++) content.set(`cargo/${i % 10}/crate-${i}.json`, `{"crate":${i}}\n`);
  for (const [path, text] of content) {
    mkdirSync(join(own, path, '..'), { recursive: true });
    writeFileSync(join(own, path), text);
  }
  return content;
}

test('a folder of 100 files arrives complete, over a line that is cut in the middle', async ({ page }) => {
  const content = hundredFiles();
  const panel = await answerRequests(page, {});
  await openFiles(page);
  await page.locator('[data-pick=folder]').setInputFiles(join(own, 'cargo'));
  const said = page.getByRole('region', { name: 'Uploads' }).getByRole('status').first();
  const count = async () => Number(/: (\d+) of 100/.exec((await said.textContent()) ?? '')?.[1] ?? 0);
  // a page begins 40 files a second at most: two seconds remain
  await expect.poll(count, { intervals: [50] }).toBeGreaterThan(20);
  // both ways that a page has: the socket, and requests with the bytes
  await Promise.all([panel.cut(), page.context().setOffline(true)]);
  await expect(page.getByText('Connection lost. It continues automatically.').first()).toBeVisible();
  expect(await count()).toBeLessThan(100);
  panel.restore();
  await page.context().setOffline(false);
  await expect(page.getByText('100 uploads complete')).toBeVisible({ timeout: 60_000 });

  const { folders } = server.node;
  const wrong = [...content].filter(([path, text]) => folders.read(server.id, path) !== text);
  expect(wrong).toEqual([]);
  const arrived = readdirSync(join(folders.at(server.id), 'cargo'), { recursive: true, withFileTypes: true });
  expect(arrived.filter((one) => one.isFile())).toHaveLength(100);
});

test('a picture is shown, and what is none says so', async ({ page }) => {
  await openFiles(page);
  const buffer = readFileSync('site/public/icon-maskable-512.png');
  await page.locator('[data-pick=files]').setInputFiles([
    { name: 'flag.png', mimeType: 'image/png', buffer },
    { name: 'torn.png', mimeType: 'image/png', buffer: buffer.subarray(0, 100) },
  ]);
  await row(page, 'flag.png').getByRole('link').click();
  await expect(page.getByRole('img', { name: 'flag.png' })).toBeVisible();
  await expect(page.getByText('512 × 512')).toBeVisible();
  const percent = page.getByRole('button', { name: /Fit to view$/ });
  const before = await percent.textContent();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect(percent).not.toHaveText(before!);
  await percent.click();
  await expect(percent).toHaveText(before!);
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await row(page, 'torn.png').getByRole('link').click();
  await expect(page.getByText('This isn’t an image, or it’s damaged.')).toBeVisible();
});

test('an address of a private network is not fetched, and the page says why', async ({ page }) => {
  await openFiles(page);
  await page.getByText('New', { exact: true }).click();
  await page.getByRole('button', { name: 'Fetch from URL' }).click();
  await dialog(page).getByLabel('URL').fill('http://127.0.0.1/plugin.jar');
  await expect(dialog(page).getByLabel('Save as')).toHaveValue('plugin.jar');
  await dialog(page).getByRole('button', { name: 'Fetch', exact: true }).click();
  await expect(toast(page, 'Only public http and https URLs can be fetched.')).toBeVisible();
  await expect(row(page, 'plugin.jar')).toHaveCount(0);
});

test('what takes long is canceled, and the page says when it is over', async ({ page }) => {
  let answer: object = { ok: false, error: 'server_unreachable', status: 503, description: 'No answer.' };
  const panel = await answerRequests(page, { 'files.cancel': () => answer });
  await openFiles(page);
  const view = { op_id: crypto.randomUUID(), kind: 'file_unpack', error: null, result: null };
  const tell = (more: object) =>
    panel.tell('operation', { server_id: server.id, operation: { ...view, progress: null, ...more } });
  tell({ state: 'accepted', progress: { done: 40 * 1024 ** 2, total: 120 * 1024 ** 2 } });
  const line = page.getByRole('list', { name: 'File operations' }).getByRole('listitem');
  await expect(line).toContainText('Unpacking');
  await expect(line).toContainText('of 120.00 MB');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  const cancel = line.getByRole('button', { name: 'Cancel: Unpacking' });
  await cancel.click();
  await expect(toast(page, 'No answer.')).toBeVisible();
  await expect(line.getByRole('status')).toBeEmpty();
  answer = { ok: true };
  await cancel.focus();
  await page.keyboard.press('Enter');
  await expect(line.getByRole('status')).toHaveText('Canceling…');
  await expect(cancel).toHaveAttribute('aria-disabled', 'true');
  expect(panel.asked.map(({ message }) => message.op_id)).toEqual([view.op_id, view.op_id]);
  tell({ state: 'failed', error: { code: 'operation_canceled', description: 'It was canceled.' } });
  await expect(line.getByRole('status')).toHaveText('Canceled');
  // those that are over at once have no button
  tell({ state: 'accepted', op_id: crypto.randomUUID(), kind: 'file_purge' });
  await expect(line.filter({ hasText: 'Deleting for good' })).toBeVisible();
  await expect(line.getByRole('button', { name: /^Cancel/ })).toHaveCount(0);
});

/** Runs OpenSSH's sftp with the command that the page shows. */
async function sftp(command: string, lines: string[], ...options: string[]): Promise<void> {
  const [, ...words] = command.split(' ');
  const ask = join(own, 'ask');
  writeFileSync(ask, '#!/bin/sh\necho "$CAIRN_SFTP_PASSWORD"\n');
  chmodSync(ask, 0o700);
  const known = ['StrictHostKeyChecking=no', `UserKnownHostsFile=${join(own, 'known')}`, ...options];
  const child = spawn('sftp', ['-F', '/dev/null', ...known.flatMap((one) => ['-o', one]), ...words], {
    env: { ...process.env, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0' },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaints = '';
  child.stderr.on('data', (data) => {
    complaints += data;
  });
  child.stdin.end(`${lines.join('\n')}\n`);
  const [code] = await once(child, 'close');
  expect(code, complaints).toBe(0);
}

test('what comes by SFTP, with a password or a key, appears without a reload', async ({ page }) => {
  await openFiles(page);
  await page.getByText('Upload', { exact: true }).click();
  await page.getByRole('button', { name: 'SFTP access' }).click();
  const card = dialog(page);
  const value = (name: string) =>
    card.getByRole('button', { name: `Copy: ${name}` }).getAttribute('data-copy') as Promise<string>;
  await card.getByRole('button', { name: 'Create password' }).click();
  await expect(card.getByText('Copy this password now')).toBeVisible();
  expect(await axeFinds(page, { within: 'dialog[open]' })).toEqual([]);
  const [command, password] = [await value('Command'), await value('Password')];

  const key = join(own, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  await card.getByLabel('Key name').fill('Ferryman');
  await card.getByLabel('Public key').fill(readFileSync(`${key}.pub`, 'utf8').trim());
  await card.getByRole('button', { name: 'Add key' }).click();
  await expect(card.getByText('Never used')).toBeVisible();
  await page.keyboard.press('Escape');

  writeFileSync(join(own, 'by-password.txt'), 'one');
  process.env.CAIRN_SFTP_PASSWORD = password;
  await sftp(command, [`put ${join(own, 'by-password.txt')}`], 'PubkeyAuthentication=no');
  await expect(row(page, 'by-password.txt')).toBeVisible();
  writeFileSync(join(own, 'by-key.txt'), 'two');
  await sftp(command, [`put ${join(own, 'by-key.txt')}`], `IdentityFile=${key}`, 'PasswordAuthentication=no');
  await expect(row(page, 'by-key.txt')).toContainText('3 B');
});

test('a setting is saved and the server restarted with it', async ({ page }) => {
  await openFiles(page);
  const state = page.getByRole('main').locator('.badge').first();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state).toHaveText('Running');
  await row(page, 'server.properties').getByRole('link').click();
  const code = page.getByRole('textbox', { name: 'Content of server.properties' });
  const restart = page.getByRole('button', { name: 'Save and restart' });
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
  await code.click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.insertText('\nmotd=All aboard\n');
  const begun = () => server.node.started(server.id);
  const before = begun();
  await restart.click();
  await expect(toast(page, 'server.properties was saved')).toBeVisible();
  await expect.poll(begun).toBe(before + 1);
  await expect(state).toHaveText('Running');
  expect(server.node.folders.read(server.id, 'server.properties')).toContain('motd=All aboard');
});

test('in every language the page fits a phone, and Tab reaches what a pointer does', async ({ page }) => {
  server.node.folders.write(server.id, 'ropes/knots.txt', '');
  await openFiles(page);
  expect(await page.evaluate(unreachable), 'what only a pointer reaches').toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  for (const tag of ['en-XA', 'ar-XB']) {
    await page.goto(inLanguage(`${server.address}/files`, tag));
    await expect(page.getByRole('grid').getByRole('row').nth(1)).toBeVisible();
    expect(await width(), tag).toBe(320);
    if (tag === 'en-XA') expect(await page.evaluate(untranslated, undefined)).toEqual([]);
  }
});

test('the editor comes with the first file', async ({ browser, page }) => {
  server.node.folders.write(server.id, 'ropes.json', '');
  await openFiles(page);
  const fresh = await browser.newContext({ storageState: await page.context().storageState() });
  const visitor = await fresh.newPage();
  const loaded: string[] = [];
  visitor.on('response', (response) => loaded.push(response.url()));
  await visitor.goto(`${server.address}/files`, { waitUntil: 'networkidle' });
  const isEditor = (url: string) => /code-mirror|TextEditor/.test(url);
  expect(loaded.filter(isEditor)).toEqual([]);
  await row(visitor, 'ropes.json').getByRole('link').click();
  await expect(visitor.getByRole('textbox', { name: 'Content of ropes.json' })).toBeVisible();
  expect(loaded.filter(isEditor).length).toBeGreaterThan(1);
  await fresh.close();
});
