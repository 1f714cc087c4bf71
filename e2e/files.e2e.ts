import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { dialog, openFilesOf, row, toast } from './files-page.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';
import { address_text, typeAddress } from './typed-text.ts';

/** The files of a server: somebody edits, sends, moves and deletes them, alone and with somebody else. */
let server: RentedServer<FolderNode>;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Paper Mill' });
});
test.afterAll(() => server?.close());

const openFiles = (page: Page, query = '') => openFilesOf(page, server, query);
/** Files of the server that a test begins with. */
const given = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) server.node.folders.write(server.id, path, text);
};

async function create(page: Page, kind: 'New file' | 'New folder', name: string): Promise<void> {
  await page.getByText('New', { exact: true }).click();
  await page.getByRole('button', { name: kind }).click();
  await dialog(page).getByLabel('Name').fill(name);
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(row(page, name)).toBeVisible();
}

async function enter(page: Page, name: string): Promise<void> {
  await row(page, name).getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(`path=[^&]*${name}(&|$)`));
}

const upload = (page: Page, files: { name: string; text: string }[]) =>
  page
    .locator('[data-pick=files]')
    .setInputFiles(
      files.map(({ name, text }) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    );

const code = (page: Page, name: string) => page.getByRole('textbox', { name: `Content of ${name}` });
const unsaved = (page: Page) => page.locator('.editor-head .badge');

async function write(page: Page, name: string, text: string): Promise<void> {
  await code(page, name).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
}

/** A zip with one file, whose name is a byte of a code page. */
const unclearZip = Buffer.from(
  'UEsDBAoAAAAAAAAAIQAAAAAAAAAAAAAAAAAFAAAAgi50eHRQSwECFAAKAAAAAAAAACEAAAAAAAAAAAAAAAAABQAAAAAAAAAAAAAAAAAAAAAAgi50eHRQSwUGAAAAAAEAAQAzAAAAIwAAAAAA',
  'base64',
);

const fits = async (page: Page, width: number): Promise<void> => {
  const wide = await page.evaluate(() => Math.max(document.documentElement.scrollWidth, innerWidth));
  expect(wide).toBe(width);
};

test('somebody creates, renames, moves and deletes files, and takes it back', async ({ page }) => {
  await openFiles(page);
  await create(page, 'New folder', 'mill');
  await enter(page, 'mill');
  await create(page, 'New folder', 'old');
  await create(page, 'New file', 'wheel.json');
  await create(page, 'New file', 'ropes.txt');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);

  // a name that is taken, and one that is none
  await page.getByText('New', { exact: true }).click();
  await page.getByRole('button', { name: 'New file' }).click();
  await dialog(page).getByLabel('Name').fill('ropes.txt');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('ropes.txt');
  await dialog(page).getByLabel('Name').fill('..');
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByRole('alert')).toContainText('valid path');
  await page.keyboard.press('Escape');

  // by keyboard: rename, select, delete, undo
  await row(page, 'ropes.txt').focus();
  await page.keyboard.press('F2');
  await page.keyboard.insertText('chains');
  await page.keyboard.press('Enter');
  await expect(row(page, 'chains.txt')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(row(page, 'ropes.txt')).toBeVisible();
  await row(page, 'ropes.txt').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText('3 selected')).toBeVisible();
  await page.keyboard.press('Escape');
  await row(page, 'ropes.txt').focus();
  await page.keyboard.press('Delete');
  await expect(row(page, 'ropes.txt')).toHaveCount(0);
  await toast(page, 'ropes.txt').getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'ropes.txt')).toBeVisible();

  // by drag and by dialog
  await row(page, 'ropes.txt').dragTo(row(page, 'old'));
  await expect(row(page, 'ropes.txt')).toHaveCount(0);
  await row(page, 'wheel.json').click({ button: 'right' });
  await expect(page.getByRole('menu')).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('menuitem', { name: 'Copy' }).click();
  await dialog(page)
    .getByRole('list', { name: /Folders in/ })
    .getByRole('button', { name: 'old' })
    .click();
  expect(await axeFinds(page, { within: 'dialog[open]' })).toEqual([]);
  await dialog(page).getByRole('button', { name: 'Copy here' }).click();
  await enter(page, 'old');
  await expect(row(page, 'wheel.json')).toBeVisible();
  await expect(row(page, 'ropes.txt')).toBeVisible();
  await page.goBack();
  await expect(row(page, 'old')).toBeVisible();
});

test('no key that is typed into a file leaves its editor', async ({ page }) => {
  given({ 'typed/notes.txt': '' });
  await openFiles(page, '?path=typed');
  await row(page, 'notes.txt').getByRole('link').click();
  await code(page, 'notes.txt').click();
  await typeAddress(page);
  await expect(code(page, 'notes.txt')).toHaveText(`/ ${address_text}`);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(toast(page, 'notes.txt was saved')).toBeVisible();
});

test('somebody edits a file, and two people never overwrite each other', async ({ page, browser }) => {
  given({ 'edited/wheel.json': '' });
  await openFiles(page, '?path=edited');
  await row(page, 'wheel.json').getByRole('link').click();
  await expect(code(page, 'wheel.json')).toBeVisible();
  await write(page, 'wheel.json', '{\n  "spokes": 8\n}\n');
  await expect(unsaved(page)).toHaveText('Not saved');
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.keyboard.press('ControlOrMeta+s');
  await expect(toast(page, 'wheel.json was saved')).toBeVisible();
  await expect(unsaved(page)).toHaveCount(0);

  const other = await browser.newContext({ storageState: await page.context().storageState() });
  const second = await other.newPage();
  await second.goto(`${server.address}/files?path=edited&file=wheel.json`);
  await expect(code(second, 'wheel.json')).toContainText('"spokes": 8');
  await expect(second.locator('.code footer')).toContainText('18 B');
  await write(second, 'wheel.json', '{\n  "spokes": 12\n}\n');
  await second.keyboard.press('ControlOrMeta+s');
  await expect(toast(second, 'was saved')).toBeVisible();

  await write(page, 'wheel.json', '{\n  "spokes": 6\n}\n');
  await page.keyboard.press('ControlOrMeta+s');
  const conflict = page.getByRole('dialog', { name: 'wheel.json changed while you were editing' });
  await expect(conflict).toContainText('"spokes": 12');
  await expect(conflict).toContainText('"spokes": 6');
  expect(await axeFinds(page, { within: 'dialog[open]' })).toEqual([]);
  await conflict.getByRole('button', { name: 'Save as…' }).click();
  await dialog(page).getByLabel('Name').fill('wheel-2.json');
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page).toHaveURL(/file=wheel-2\.json/);
  await expect(code(page, 'wheel-2.json')).toContainText('"spokes": 6');

  // the other one sees what is saved over it, and leaves nothing behind unasked
  await write(second, 'wheel.json', '{}\n');
  await second.getByRole('button', { name: 'Close', exact: true }).click();
  await second.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await expect(row(second, 'wheel-2.json')).toBeVisible();
  await second.goto(`${server.address}/files?path=edited&file=wheel.json`);
  await expect(code(second, 'wheel.json')).toContainText('"spokes": 12');
  await other.close();
});

test('many files are sent, a cut line goes on, and what is there already is asked about', async ({
  page,
}) => {
  given({ 'sent/first.txt': 'first' });
  await openFiles(page, '?path=sent');
  const many = Array.from({ length: 40 }, (_, i) => ({ name: `log-${i}.txt`, text: `line ${i}\n` }));
  await upload(page, many);
  await expect(page.getByText('40 uploads complete')).toBeVisible({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Dismiss' }).last().click();
  await expect(row(page, 'log-39.txt')).toBeVisible();

  await upload(page, [
    { name: 'log-1.txt', text: 'another' },
    { name: 'log-2.txt', text: 'another' },
    { name: 'log-3.txt', text: 'another' },
  ]);
  const conflict = page.getByRole('region', { name: 'log-1.txt is already here' });
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await conflict.getByRole('button', { name: 'Skip' }).click();
  const next = page.getByRole('region', { name: 'log-2.txt is already here' });
  await next.getByRole('checkbox', { name: 'For all 2' }).check();
  await next.getByRole('button', { name: 'Keep both' }).click();
  await expect(row(page, 'log-3 (2).txt')).toBeVisible();
  await expect(row(page, 'log-1 (2).txt')).toHaveCount(0);

  await sendOverBrokenLine(page, page.context());
});

/** A large file whose line is cut in the middle, and comes back. */
async function sendOverBrokenLine(page: Page, context: BrowserContext): Promise<void> {
  const session = await context.newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1_000_000 };
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', slow);
  const bytes = 4_000_000;
  await page
    .locator('[data-pick=files]')
    .setInputFiles({ name: 'world.bin', mimeType: 'application/zip', buffer: Buffer.alloc(bytes, 'cairn') });
  const meter = page.getByRole('progressbar', { name: 'Upload of world.bin' });
  await expect.poll(async () => Number(await meter.getAttribute('value'))).toBeGreaterThan(500_000);
  await context.setOffline(true);
  await expect(page.getByText('Connection lost. It continues automatically.')).toBeVisible();
  await context.setOffline(false);
  await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
  await expect(row(page, 'world.bin')).toContainText('3.81 MB', { timeout: 60_000 });
  await session.detach();
}

test('what was deleted is restored from the trash, or removed for good', async ({ page }) => {
  given({ 'deleted/world.bin': 'world', 'deleted/log-0.txt': 'line' });
  await openFiles(page, '?path=deleted');
  await row(page, 'world.bin').getByRole('checkbox').check();
  await row(page, 'log-0.txt').getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(row(page, 'world.bin')).toHaveCount(0);
  await page.getByText('New', { exact: true }).click();
  await page.getByRole('button', { name: 'Trash' }).click();
  await expect(page.getByRole('cell', { name: /^world\.bin from/ })).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Restore world.bin' }).click();
  await expect(page.getByRole('cell', { name: /^world\.bin from/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete log-0.txt for good' }).click();
  await dialog(page).getByRole('button', { name: 'Delete for good' }).click();
  await expect(page.getByRole('cell', { name: /log-0\.txt/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Back to files' }).click();
  await expect(row(page, 'world.bin')).toBeVisible();
  await expect(row(page, 'log-0.txt')).toHaveCount(0);
});

test('files are found by name and by what is in them, and archives are unpacked', async ({ page }) => {
  given({ 'found/wheel.json': '{\n  "spokes": 14\n}\n', 'found/ropes.txt': '' });
  await openFiles(page);
  await page.getByRole('searchbox', { name: 'Search this folder' }).fill('wheel');
  await expect(page.getByRole('link', { name: 'found/wheel.json' })).toBeVisible();
  await page.getByRole('button', { name: 'Contents' }).click();
  await page.getByRole('searchbox', { name: 'Search this folder' }).fill('spokes": 14');
  await expect(page.getByText('Line 2')).toBeVisible();
  expect(await axeFinds(page, { within: 'main' })).toEqual([]);
  await page.getByRole('button', { name: 'Back to the folder' }).click();

  // a folder is downloaded as a zip, which is unpacked beside it
  await row(page, 'found').getByRole('checkbox').check();
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const zip = await (await coming).path();
  await page.locator('[data-pick=files]').setInputFiles({
    ...{ name: 'found.zip', mimeType: 'application/zip' },
    buffer: readFileSync(zip),
  });
  await row(page, 'found.zip').getByRole('link').click();
  await expect(dialog(page)).toContainText('already exist');
  expect(await axeFinds(page, { within: 'dialog[open]' })).toEqual([]);
  await dialog(page).getByLabel('Keep existing files').check();
  await dialog(page).getByRole('button', { name: 'Unpack here' }).click();
  await expect(toast(page, /0 files unpacked/)).toBeVisible();
});

test('files whose names are no UTF-8 are shown and renamed, and an archive says which names are unclear', async ({
  page,
}) => {
  const folder = join(server.node.folders.at(server.id), 'odd');
  mkdirSync(folder);
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from('caf\xe9.yml', 'latin1')]), 'menu: 1');
  writeFileSync(join(folder, 'blank '), '');
  writeFileSync(join(folder, 'old.zip'), unclearZip);
  await openFiles(page, '?path=odd');
  await row(page, 'caf\ufffd.yml').getByRole('button', { name: 'Actions for caf\ufffd.yml' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('New name for caf\ufffd.yml').fill('menu.yml');
  await page.keyboard.press('Enter');
  await expect(row(page, 'menu.yml')).toBeVisible();
  // a name that was only looked at stays as it is
  await row(page, 'blank').getByRole('button', { name: 'Actions for blank' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByLabel('New name for blank').press('Enter');
  await row(page, 'old.zip').getByRole('link').click();
  await expect(dialog(page)).toContainText('The archive doesn’t say how 1 name is encoded.');
  await expect(dialog(page)).toContainText('é.txt');
  await dialog(page).getByRole('button', { name: 'Unpack here' }).click();
  await expect(toast(page, /1 file unpacked/)).toBeVisible();
  expect(readdirSync(folder).sort()).toEqual(['blank ', 'menu.yml', 'old.zip', 'é.txt']);
});

test('everything fits a phone, and is written from right to left', async ({ page }) => {
  given({ 'small/wheel.json': '{\n  "spokes": 8\n}\n', 'small/ropes.txt': '', 'small/chains.txt': '' });
  await page.setViewportSize({ width: 390, height: 844 });
  await openFiles(page, '?path=small');
  await expect(row(page, 'wheel.json')).toBeVisible();
  await fits(page, 390);
  await row(page, 'wheel.json').getByRole('checkbox').check();
  await fits(page, 390);
  await row(page, 'wheel.json').getByRole('button', { name: 'Actions for wheel.json' }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.keyboard.press('Escape');
  await row(page, 'wheel.json').getByRole('link').click();
  await expect(code(page, 'wheel.json')).toContainText('spokes');
  await fits(page, 390);
  await page.goto(`${server.address}/files?path=small&hl=ar-SA`);
  await expect(page.getByRole('grid').getByRole('row').nth(3)).toBeVisible();
  await fits(page, 390);
});
