import { createHash, randomBytes } from 'node:crypto';
import { appendFile, writeFile } from 'node:fs/promises';
import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import sharp from 'sharp';
import { demoAccounts } from '../db/demo/demo.ts';
import { zipOf } from '../db/testing/zips.ts';
import { signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { main } from './buyer.ts';
import { draftOf } from './draft-fixture.ts';
import { projectFixture } from './project-fixture.ts';

/** The form for versions: from a file that is dropped to the published version. */
interface Picked {
  name: string;
  mimeType: string;
  buffer: Buffer;
}
/** A jar of Fabric with unique bytes. */
async function jar(name: string, manifest: object = {}, noise = 64): Promise<Picked> {
  const mod = {
    schemaVersion: 1,
    id: 'causeway',
    name: 'Causeway',
    version: '2.0.0-beta.1',
    environment: 'client',
    depends: { minecraft: '>=1.20.1 <1.20.3', lanternroot: '*' },
    ...manifest,
  };
  const entries = { 'fabric.mod.json': JSON.stringify(mod), noise: randomBytes(noise) };
  return { name, mimeType: 'application/java-archive', buffer: await zipOf(entries, { store: true }) };
}

/** Signs the owner of a new project in, and opens the form. */
async function opened(page: Page, request: APIRequestContext, name: string) {
  const project = await projectFixture(request, name, {});
  await signInAs(page, demoAccounts[2]!);
  await page.goto(`${project.path}/version/create`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('New version');
  await ready(page);
  return project;
}
/** Waits until the form takes files and words: before its scripts run it is disabled. */
const ready = async (page: Page) => await expect(page.getByLabel('Version number')).toBeEnabled();
const choose = async (page: Page, ...files: Picked[]) =>
  await page.locator('.dropzone input').setInputFiles(files);
const row = (page: Page, filename: string) => page.locator('.picked > li').filter({ hasText: filename });
const publish = (page: Page) => main(page).getByRole('button', { name: 'Publish version' });
/** The editor of the changelog, which is there once its text area is used. */
const changelog = (page: Page) => page.getByRole('textbox', { name: 'Changelog' });
async function write(page: Page, text: string): Promise<void> {
  await page.locator('#changelog').click();
  await expect(page.locator('[data-editor][data-ready]')).toBeAttached();
  await changelog(page).fill(text);
}
/** The requests that send bytes of files. */
function sends(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (asked) => {
    if (asked.url().includes('/_internal/uploads')) sent.push(asked.method());
  });
  return sent;
}

test('a dropped jar fills the form, and is published', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  const project = await opened(page, request, 'drop');
  const file = await jar('causeway-2.0.0.jar');
  const data = await page.evaluateHandle(
    ([name, bytes]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes as number[])], name as string));
      return transfer;
    },
    [file.name, [...file.buffer]] as const,
  );
  await expect(page.locator('.dropzone')).toBeVisible();
  await page.dispatchEvent('.dropzone', 'drop', { dataTransfer: data });
  await expect(row(page, file.name)).toContainText('Uploaded');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Causeway 2.0.0-beta.1');
  await expect(page.getByLabel('Version number')).toHaveValue('2.0.0-beta.1');
  await expect(page.getByRole('radio', { name: 'Beta' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Fabric', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(page.getByRole('button', { name: 'Remove filter 1.20.1–1.20.2' })).toBeVisible();
  await expect(page.getByLabel('Runs on')).toHaveValue('client_only');
  await page.getByRole('button', { name: /Lanternroot Required/i }).click();
  await write(page, 'A *drier* path.');
  await page.evaluate(() => scrollTo(0, 0)); // the bar of the form covers no part of a button
  expect(await axeFinds(page)).toEqual([]);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await publish(page).click();
  await expect(main(page).getByRole('heading', { name: /^2\.0\.0-beta\.1/ })).toBeVisible();
  expect(page.url()).toContain(`${project.path}/version/`);
  await expect(page.getByText('Version published')).toBeVisible();
  await expect(main(page)).toContainText('A drier path.');
  await expect(main(page)).toContainText('causeway-2.0.0.jar');
  await expect(main(page)).toContainText('Lanternroot');
});

test('what the user wrote wins over the manifest, and nothing is lost when it is refused', async ({
  page,
  request,
}) => {
  const project = await opened(page, request, 'own-words');
  await page.getByLabel('Version number').fill('9.9');
  await page.getByRole('radio', { name: 'Alpha' }).check();
  await publish(page).click();
  await expect(page.getByText('Add at least one file.')).toBeVisible();
  await choose(page, await jar('a.jar', { environment: '*' }));
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Causeway 9.9');
  await expect(page.getByLabel('Version number')).toHaveValue('9.9');
  await expect(page.getByRole('radio', { name: 'Alpha' })).toBeChecked();
  await page.getByLabel('Version number').fill('no spaces here');
  await write(page, 'Kept.');
  await publish(page).click();
  await expect(page.getByLabel('Version number')).toHaveAccessibleDescription(/without spaces\.$/);
  await expect(page.getByLabel('Version number')).toBeFocused();
  await expect(changelog(page)).toHaveText('Kept.');
  await page.getByLabel('Version number').fill('9.9');
  await publish(page).click();
  await expect(main(page).getByRole('heading', { name: /^9\.9/ })).toBeVisible();
  await page.goto(`${project.path}/version/9.9`);
  await expect(main(page)).toContainText('Kept.');
});

test('a file that is published already is named before a byte is sent', async ({ page, request }) => {
  const sent = sends(page);
  await opened(page, request, 'known-file');
  const other = await projectFixture(request, 'other-known', {});
  const version = await request.get(`/v2/project/${other.slug}/version`);
  const [{ files }] = (await version.json()) as [{ files: Array<{ url: string }> }];
  const buffer = await (await request.get(files[0]!.url)).body();
  await choose(page, { name: 'copy.jar', mimeType: 'application/java-archive', buffer });
  await expect(row(page, 'copy.jar')).toContainText('Already published:');
  await expect(row(page, 'copy.jar').getByRole('link')).toHaveText(`Made ${other.slug} 1.0.0`);
  expect(sent).toEqual([]);
  await publish(page).click();
  await expect(page.getByText('Add at least one file.')).toBeVisible();
});

test('files that are not what they say are refused before a byte is sent', async ({ page, request }) => {
  const sent = sends(page);
  await opened(page, request, 'liars');
  const text = {
    name: 'notes.jar',
    mimeType: 'application/java-archive',
    buffer: Buffer.from('Just words.'),
  };
  await choose(page, text, { ...text, name: 'evil\u202Egnp.jar' }, { ...text, name: 'setup.exe' });
  await expect(row(page, 'notes.jar')).toContainText('can’t be opened');
  await expect(row(page, 'gnp.jar').getByRole('alert')).toContainText('can’t be used');
  await expect(row(page, 'setup.exe').getByRole('alert')).toContainText('must end with one of');
  // the name turns no text around it
  await expect(row(page, 'gnp.jar').locator('.file bdi')).toHaveText('evil\u202Egnp.jar');
  await choose(page, { ...text, name: 'nothing.jar', buffer: Buffer.alloc(0) });
  await expect(row(page, 'nothing.jar').getByRole('alert')).toHaveText('nothing.jar is empty.');
  const huge = await page.evaluateHandle(() => {
    const mebibyte = new Blob([new Uint8Array(1024 * 1024)]);
    const transfer = new DataTransfer();
    transfer.items.add(new File(Array(501).fill(mebibyte), 'huge.jar'));
    return transfer;
  });
  await page.dispatchEvent('.dropzone', 'drop', { dataTransfer: huge });
  await expect(row(page, 'huge.jar').getByRole('alert')).toContainText('500 MiB');
  expect(sent).toEqual([]);
});

test('two files of one name are told apart before a byte is sent', async ({ page, request }) => {
  await opened(page, request, 'twins');
  await choose(page, await jar('twin.jar'));
  await expect(row(page, 'twin.jar')).toContainText('Uploaded');
  const sent = sends(page);
  await choose(page, await jar('twin.jar'));
  await expect(row(page, 'twin.jar').last().getByRole('alert')).toContainText(
    'A file named twin.jar is already here.',
  );
  expect(sent).toEqual([]);
});

test('a file that changes on the disk while it is sent is refused, not waited for', async ({
  page,
  request,
}, info) => {
  await opened(page, request, 'restless');
  const network = await page.context().newCDPSession(page);
  await network.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 1024 * 1024 },
  });
  const path = info.outputPath('restless.jar');
  await writeFile(path, (await jar('restless.jar', {}, 6 * 1024 * 1024)).buffer);
  await page.locator('.dropzone input').setInputFiles(path);
  await expect(row(page, 'restless.jar')).toContainText('per second');
  await appendFile(path, 'more');
  await expect(row(page, 'restless.jar').getByRole('alert')).toContainText('was changed, moved or deleted');
});

test('a changelog is written in the editor, which waits for its first use and keeps a draft', async ({
  page,
  request,
}) => {
  const project = await opened(page, request, 'words');
  const scripts: string[] = [];
  page.on('request', (asked) => {
    if (asked.resourceType() === 'script') scripts.push(asked.url());
  });
  await page.locator('#changelog').hover();
  expect(scripts).toEqual([]);
  await page.getByRole('button', { name: 'Bold' }).click();
  await expect(page.locator('[data-editor][data-ready]')).toBeAttached();
  expect(scripts.length).toBeGreaterThan(0);
  await expect(changelog(page)).toHaveText('****');
  await expect(changelog(page)).toBeFocused();
  await page.keyboard.type('Drier');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(changelog(page)).not.toBeFocused();
  await page.getByRole('tab', { name: 'Preview' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Preview' }).locator('strong')).toHaveText('Drier');
  expect(await axeFinds(page)).toEqual([]);
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: 'Restore draft' }).click();
  await expect(changelog(page)).toHaveText('**Drier**');
  const stone = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer();
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(bytes)], 'stone.png', { type: 'image/png' }));
      return transfer;
    },
    [...stone],
  );
  await changelog(page).dispatchEvent('drop', { dataTransfer: data });
  await expect(changelog(page)).toContainText(/!\[\]\(http\S+\)/);
  // it became no file of the version
  await expect(page.locator('.picked > li')).toHaveCount(0);
  await choose(page, await jar('words.jar'));
  await expect(row(page, 'words.jar')).toContainText('Uploaded');
  await publish(page).click();
  await expect(page.getByText('Version published')).toBeVisible();
  await expect(main(page).locator('strong', { hasText: 'Drier' })).toBeVisible();
  await page.goto(`${project.path}/version/create`);
  await ready(page);
  await expect(page.getByText('You left a draft here')).toBeHidden();
});

test('a manifest that lies fills nothing that is refused', async ({ page, request }) => {
  await opened(page, request, 'lies');
  const lies = {
    name: 'Cause\u202Eway',
    version: `$${'{version}'}`,
    depends: { minecraft: '>=99', nobody: 7 },
    environment: ['client'],
  };
  await choose(page, await jar('lies.jar', lies));
  await expect(row(page, 'lies.jar')).toContainText('Uploaded');
  await expect(row(page, 'lies.jar')).toContainText('still a build placeholder');
  await expect(row(page, 'lies.jar')).toContainText('direction marks were removed');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Causeway');
  await expect(page.getByLabel('Version number')).toHaveValue('');
  await publish(page).click();
  await expect(page.getByText('Give the version a number.')).toBeVisible();
  await expect(page.getByText('Choose at least one game version.')).toBeVisible();
});

test('a version is edited, with its files, and deleted', async ({ page, request }) => {
  const project = await opened(page, request, 'edited');
  await page.goto(`${project.path}/versions`);
  await expect(main(page).getByRole('link', { name: 'Upload version' })).toBeVisible();
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['no archive'], 'dropped.jar'));
    return transfer;
  });
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
  await expect(row(page, 'dropped.jar')).toContainText('can’t be opened');
  page.once('dialog', (dialog) => dialog.accept());
  await page.goto(`${project.path}/versions`);
  await page.getByLabel('More options for 1.0.0').click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Edit version');
  await expect(page.getByLabel('Version number')).toHaveValue('1.0.0');
  await page.getByLabel('Version number').fill('1.0.1');
  await choose(page, await jar('extra-sources.jar'));
  await expect(row(page, 'extra-sources.jar')).toContainText('Uploaded');
  // what the file says is about another version
  await expect(page.getByLabel('Version number')).toHaveValue('1.0.1');
  await page.getByLabel('Add a dependency').fill('lanternroot');
  await page.getByRole('button', { name: /^Lanternroot/ }).click();
  await page.getByLabel('Dependency type of Lanternroot').selectOption('optional');
  await page.getByLabel('Visibility').selectOption('scheduled');
  await page.getByLabel('Release on').fill('2020-01-01T10:00');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Choose a time in the future.')).toBeVisible();
  await page.getByLabel('Release on').fill('2099-01-01T10:00');
  expect(await axeFinds(page)).toEqual([]);
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version saved')).toBeVisible();
  await expect(page.getByLabel('Release on')).toHaveValue('2099-01-01T10:00');
  await expect(row(page, 'extra-sources.jar').getByLabel('Type of extra-sources.jar')).toHaveValue(
    'sources-jar',
  );
  await expect(page.getByLabel('Dependency type of Lanternroot')).toHaveValue('optional');

  await page.goto(`${project.path}/settings/versions`);
  await expect(page.getByRole('row', { name: /1\.0\.1/ })).toContainText('Scheduled');
  await page.getByRole('link', { name: 'Edit 1.0.1' }).click();
  await page.getByRole('button', { name: 'Remove extra-sources.jar' }).click();
  await page.getByLabel('Visibility').selectOption('listed');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(main(page).getByRole('heading', { name: /^1\.0\.1/ })).toBeVisible();
  await expect(main(page)).not.toContainText('extra-sources.jar');

  await page.getByLabel('More options for 1.0.1').click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Delete version' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete version' })).toBeDisabled();
  await dialog.getByLabel(/Type 1\.0\.1/).fill('1.0.1');
  await dialog.getByRole('button', { name: 'Delete version' }).click();
  await expect(page.getByText('Version deleted')).toBeVisible();
});

test('a version is edited at the address of its number, plus sign and all, and gets a place', async ({
  page,
  request,
}) => {
  const project = await opened(page, request, 'placed');
  await page.goto(`${project.path}/version/1.0.0/edit`);
  await ready(page);
  await page.getByLabel('Version number').fill('1.0.0+mc1.21');
  await page.getByLabel('Sort order (advanced)').fill('second');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Sort order (advanced)')).toBeFocused();
  await expect(page.getByLabel('Sort order (advanced)')).toHaveAccessibleDescription(/a whole number, or/);
  await page.getByLabel('Sort order (advanced)').fill('-2');
  await page.getByLabel('Runs on').selectOption('Not set');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version saved')).toBeVisible();

  const stored = async () => {
    const answer = await request.get(`/v3/project/${project.slug}/version`);
    const [{ ordering, environment }] = (await answer.json()) as [
      { ordering: unknown; environment: unknown },
    ];
    return { ordering, environment };
  };
  expect(await stored()).toEqual({ ordering: -2, environment: 'unknown' });
  for (const number of ['1.0.0+mc1.21', '1.0.0%2Bmc1.21']) {
    await page.goto(`${project.path}/version/${number}/edit`);
    await ready(page);
    await expect(page.getByLabel('Sort order (advanced)')).toHaveValue('-2');
  }
  await page.getByLabel('Sort order (advanced)').fill('');
  await main(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Version saved')).toBeVisible();
  expect((await stored()).ordering).toBe(null);
});

test('a draft without a license gets the one that its file names', async ({ page }) => {
  await signInAs(page, demoAccounts[2]!);
  const none = { license_id: 'LicenseRef-Unknown' };
  const [slug, other] = [await draftOf(page, 'Licensed', none), await draftOf(page, 'Odd', none)];
  const offer = page.getByRole('checkbox', { name: /^The file contains a license: / });
  await page.goto(`/mod/${other}/version/create`);
  await ready(page);
  await choose(page, await jar('odd.jar', { license: 'Nobody knows it' }));
  await expect(row(page, 'odd.jar')).toContainText('Uploaded');
  await expect(offer).toBeHidden();
  page.once('dialog', (dialog) => dialog.accept());
  await page.goto(`/mod/${slug}/version/create`);
  await ready(page);
  await choose(page, await jar('licensed.jar', { license: 'ISC' }));
  await expect(row(page, 'licensed.jar')).toContainText('Uploaded');
  await expect(offer).toBeChecked();
  await expect(offer).toHaveAccessibleName(/ISC License/);
  await publish(page).click();
  await expect(page.getByText('Version published')).toBeVisible();
  const read = await page.request.get(`/v2/project/${slug}`);
  expect(((await read.json()) as { license: { id: string } }).license.id).toBe('ISC');
  await page.goto(`/mod/${slug}/version/create`);
  await ready(page);
  await choose(page, await jar('again.jar', { license: 'MIT' }));
  await expect(row(page, 'again.jar')).toContainText('Uploaded');
  await expect(offer).toBeHidden();
});

test('an upload pauses, survives a lost connection and a new page, and continues where it was', async ({
  page,
  request,
}) => {
  await opened(page, request, 'slow-line');
  const network = await page.context().newCDPSession(page);
  const line = async (offline: boolean, uploadThroughput: number) =>
    await network.send('Network.emulateNetworkConditions', {
      ...{ offline, latency: 0, downloadThroughput: -1, uploadThroughput },
    });
  const file = await jar('slow.jar', {}, 6 * 1024 * 1024);
  await line(false, 512 * 1024);
  await choose(page, file);
  await expect(row(page, 'slow.jar')).toContainText('per second');
  await page.getByRole('button', { name: 'Pause slow.jar' }).click();
  await expect(row(page, 'slow.jar')).toContainText('Paused');
  page.once('dialog', (dialog) => dialog.accept());
  await page.reload();
  await ready(page);
  await line(false, -1);
  const methods = sends(page);
  await choose(page, file);
  await expect(row(page, 'slow.jar')).toContainText('Uploaded');
  // it was not announced again
  expect(methods[0]).toBe('HEAD');
  expect(methods).not.toContain('POST');

  const second = await jar('second-sources.jar', {}, 6 * 1024 * 1024);
  await line(false, 512 * 1024);
  await choose(page, second);
  await expect(row(page, second.name)).toContainText('per second');
  await line(true, 0);
  await expect(row(page, second.name)).toContainText('Connection lost.');
  await line(false, -1);
  await expect(row(page, second.name)).toContainText('Uploaded');
  await publish(page).click();
  await expect(page.getByText('Version published')).toBeVisible();
  const version = await request.get(page.url().replace(/.*\/version\//, '/v2/version/'));
  const { files } = (await version.json()) as { files: Array<{ hashes: { sha512: string } }> };
  const sha512 = ({ buffer }: Picked) => createHash('sha512').update(buffer).digest('hex');
  expect(files.map(({ hashes }) => hashes.sha512)).toEqual([sha512(file), sha512(second)]);
});
