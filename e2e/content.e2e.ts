import { type APIRequestContext, expect, type Page, test } from 'playwright/test';
import { publishMod, publishPack, publishVersion } from './content-fixture.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** What somebody finds in the catalogue comes to a server, with what it needs, and goes again when it does not start. */
const tag = Date.now().toString(36);
const game_version = '1.16.5';
const named = (name: string) => `${name} ${tag}`;
type Server = RentedServer<FolderNode>;
type Made = Awaited<ReturnType<typeof publishMod>>;

/** A server of its own for each test, which begins with these files. */
async function withServer(
  request: APIRequestContext,
  mods: readonly Made[],
  work: (server: Server) => Promise<void>,
): Promise<void> {
  const server = await rentedServer(folderNode, { name: 'Terrace', loader: 'fabric', game_version });
  try {
    for (const { file } of mods) {
      const jar = await (await request.get(file.url)).body();
      server.node.folders.write(server.id, `mods/${file.filename}`, jar);
    }
    await work(server);
  } finally {
    await server.close();
  }
}

const state = (page: Page) => page.getByRole('main').locator('.shead .badge').first();
const line = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Content' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });
const mod = (request: APIRequestContext, name: string, file: string, needs: string[] = []) =>
  publishMod(request, {
    ...{ name: named(name), version_number: '1.0', file_name: `${file}-${tag}.jar`, game_version, needs },
  });

test('from a project page to a server, with what it needs', async ({ page, request }) => {
  const library = await mod(request, 'Rootlib', 'rootlib');
  const { slug } = await mod(request, 'Copperwood', 'copperwood', [library.id]);
  await withServer(request, [], async ({ id, address, open }) => {
    await open(page, `/mod/${slug}`);
    await page.getByRole('link', { name: 'Install on a server' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText(named('Copperwood'));
    await page.getByRole('link', { name: 'Terrace' }).click();
    const dialog = page.getByRole('dialog', { name: /Install on .*Terrace/ });
    await expect(dialog).toContainText('Needs 1 more');
    await expect(dialog).toContainText(named('Rootlib'));
    await dialog.getByRole('button', { name: 'Install' }).click();
    await expect(page.getByText('Installation of 2 files').first()).toBeVisible();
    await expect(line(page, named('Copperwood'))).toBeVisible();
    await expect(line(page, named('Rootlib'))).toBeVisible();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await expect(state(page)).toHaveText('Running');
    await page.goto(address);
    await page.waitForURL(`**/servers/manage/${id}`);
    const console = page.getByRole('region', { name: 'Console' });
    await expect(console).toContainText(`Loaded mod copperwood-${tag}.jar`);
    await expect(console).toContainText(`Loaded mod rootlib-${tag}.jar`);
  });
});

test('everything is updated, and taken back when the server does not start', async ({ page, request }) => {
  const name = 'Keystone';
  const before = await mod(request, name, 'keystone');
  const file_name = `crash-on-start-${tag}.jar`;
  await publishVersion(request, before, { name: 'Broken', version_number: '1.1', file_name, game_version });
  await withServer(request, [before], async ({ address, open }) => {
    await open(page, `${address}/content`);
    await expect(line(page, named(name))).toContainText(/Update: .*1\.1/);
    await page
      .getByRole('button', { name: /^Update/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: 'Update content' });
    await expect(dialog).toContainText(named(name));
    await dialog.getByRole('button', { name: 'Update' }).click();
    await expect(line(page, named(name))).toContainText(file_name);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    const failed = page.getByText('The server didn’t start after this change');
    await expect(failed).toBeVisible();
    await expect(state(page)).toHaveText('Crashed');
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await expect(line(page, named(name))).toContainText(`keystone-${tag}.jar`);
    await expect(failed).toBeHidden();
  });
});

test('a modpack from the catalogue is installed on a server that crashed, and taken back', async ({
  page,
  request,
}) => {
  const own = await mod(request, 'Millstone', 'millstone');
  const inside = await mod(request, 'Packstone', 'packstone');
  const packName = named('Long way home');
  await publishPack(
    request,
    { name: packName, version_number: '3.1', file_name: `home-${tag}.mrpack`, game_version },
    [inside],
  );
  await withServer(request, [own], async ({ id, node, open, command }) => {
    await command('power', id, 'start');
    await expect.poll(() => node.game(id)).toBeDefined();
    await node.crash(id, { exit_code: 1, restart_at: new Date(Date.now() + 60_000).toISOString() });
    await open(page, `/modpacks?sid=${id}&q=${encodeURIComponent(packName)}`);
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
    await dialog.getByRole('button', { name: 'Stop and install' }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText(/Modpack installation \(\d+ files?\)/).first()).toBeVisible();
    await page.getByRole('link', { name: 'Back to the server' }).click();
    await expect(page.locator('.pack')).toContainText(packName);
    await expect(line(page, named('Packstone'))).toContainText('From the modpack');
    await expect(state(page)).toHaveText('Running');
    await page.locator('.hist summary').click();
    await page.locator('.hist').getByRole('button', { name: 'Undo' }).click();
    await expect(page.locator('.pack')).toBeHidden();
    await expect(line(page, named('Packstone'))).toBeHidden();
    await expect(line(page, named('Millstone'))).toBeVisible();
  });
});
