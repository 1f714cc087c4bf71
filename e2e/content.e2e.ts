import { expect, type Page, test } from 'playwright/test';
import { cairn } from './cairn.ts';
import { publishMod, publishPack, publishVersion } from './content-fixture.ts';

/** What somebody finds in the catalogue comes to a real server, with what it needs, and goes again when it does not start. */
test.describe.configure({ mode: 'serial' });
const tag = Date.now().toString(36);
const who = `settler${tag}`;
const word = 'nine-warm-stones';
const game_version = '1.16.5';
let id = '';
let token = '';

test.beforeAll(async () => {
  test.setTimeout(320_000);
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Terrace', '--kind', 'local', '--region', 'north-america'];
  const spec = ['--game-version', game_version];
  id = await cairn('server', '--token', token, 'create', ...wish, ...spec);
  const change = ['change', id, '--loader', 'fabric', '--no-backup', '--wait'];
  // the first server on a machine waits for its image
  await expect(() => cairn('server', '--token', token, 'loader', ...change)).toPass({ timeout: 300_000 });
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

async function signIn(page: Page, redirect: string): Promise<void> {
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(redirect)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
const state = (page: Page) => page.getByRole('main').locator('.shead .badge').first();
const items = (page: Page) => page.getByRole('list', { name: 'Content' }).getByRole('listitem');
const line = (page: Page, name: string) =>
  items(page).filter({ has: page.getByRole('heading', { name, exact: true }) });
const content = () => `/servers/manage/${id}/content`;

async function stop(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await expect(state(page)).toHaveText('Stopped', { timeout: 60_000 });
}

let library = { id: '', slug: '' };
const named = (name: string) => `${name} ${tag}`;

test('from a project page to a server, with what it needs', async ({ page, request }) => {
  test.setTimeout(180_000);
  const [libraryName, modName] = [named('Rootlib'), named('Copperwood')];
  library = await publishMod(request, {
    ...{ name: libraryName, version_number: '1.0', file_name: `rootlib-${tag}.jar`, game_version },
  });
  const mod = await publishMod(request, {
    ...{ name: modName, version_number: '1.0', file_name: `lanternwood-${tag}.jar`, game_version },
    needs: [library.id],
  });
  await signIn(page, `/mod/${mod.slug}`);
  await page.getByRole('link', { name: 'Put on a server' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(modName);
  await page.getByRole('link', { name: 'Terrace' }).click();
  const dialog = page.getByRole('dialog', { name: /Install on .*Terrace/ });
  await expect(dialog).toContainText('It needs 1 more');
  await expect(dialog).toContainText(libraryName);
  await dialog.getByRole('button', { name: 'Install' }).click();
  await expect(page.getByText('2 files installed').first()).toBeVisible({ timeout: 60_000 });
  await expect(line(page, modName)).toBeVisible();
  await expect(line(page, libraryName)).toBeVisible();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(state(page)).toHaveText('Running', { timeout: 120_000 });
  await page.goto(`/servers/manage/${id}`);
  const console = page.getByRole('region', { name: 'Console' });
  await expect(console).toContainText(`Loaded mod lanternwood-${tag}.jar`);
  await expect(console).toContainText(`Loaded mod rootlib-${tag}.jar`);
  await stop(page);
});

test('everything is updated, and taken back when the server does not start', async ({ page, request }) => {
  test.setTimeout(180_000);
  const file_name = `crash-on-start-${tag}.jar`;
  await publishVersion(request, library, {
    ...{ name: 'Broken', version_number: '1.1', file_name, game_version },
  });
  await signIn(page, content());
  await expect(line(page, named('Rootlib'))).toContainText(/Update: .*1\.1/);
  await page
    .getByRole('button', { name: /^Update/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Update content' });
  await expect(dialog).toContainText(named('Rootlib'));
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(line(page, named('Rootlib'))).toContainText(file_name, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.getByText('The server did not start after this change')).toBeVisible({
    timeout: 120_000,
  });
  await page.getByRole('button', { name: 'Take back' }).first().click();
  await expect(line(page, named('Rootlib'))).toContainText(`rootlib-${tag}.jar`, { timeout: 60_000 });
  await expect(page.getByText('The server did not start after this change')).toBeHidden();
});

test('a modpack from the catalogue is installed, and taken back', async ({ page, request }) => {
  test.setTimeout(240_000);
  const inside = await publishMod(request, {
    ...{ name: named('Packstone'), version_number: '2.0', file_name: `packstone-${tag}.jar`, game_version },
  });
  const packName = named('Long way home');
  await publishPack(
    request,
    { name: packName, version_number: '3.1', file_name: `home-${tag}.mrpack`, game_version },
    [inside],
  );
  await signIn(page, `/modpacks?sid=${id}&q=${encodeURIComponent(packName)}`);
  await expect(page.getByText('Choosing content for Terrace')).toBeVisible();
  const install = page.getByRole('button', { name: new RegExp(`^Install ${packName}`) });
  await expect(async () => {
    // the index may know it a moment later
    await page.reload();
    await expect(install).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await install.click();
  const dialog = page.getByRole('dialog', { name: /Install a modpack on .*Terrace/ });
  await expect(dialog).toContainText(packName);
  await dialog
    .getByRole('button', { name: /install/i })
    .last()
    .click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText(/Modpack with \d+ files?/).first()).toBeVisible({ timeout: 120_000 });
  await page.getByRole('link', { name: 'Back to the server' }).click();
  await expect(page.locator('.pack')).toContainText(packName, { timeout: 120_000 });
  await expect(line(page, named('Packstone'))).toContainText('From the modpack');
  await page.getByText(/^History/).click();
  await page.locator('.hist').getByRole('button', { name: 'Take back' }).click();
  await expect(page.locator('.pack')).toBeHidden({ timeout: 120_000 });
  await expect(line(page, named('Packstone'))).toBeHidden();
  await expect(line(page, named('Copperwood'))).toBeVisible();
});
