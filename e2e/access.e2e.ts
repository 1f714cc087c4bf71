import { type Browser, expect, type Page, test } from 'playwright/test';
import { type Account, newAccount, signInAs } from './accounts.ts';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { type FolderNode, folderNode } from './folder-node.ts';
import { inLanguage } from './pages.ts';
import { type RentedServer, rentedServer } from './rented-server.ts';

/** Two people on one server, each in a browser: invited, accepted, edits a file, loses the right while typing. */
let server: RentedServer<FolderNode>;
let guest: Account;

test.beforeAll(async () => {
  server = await rentedServer(folderNode, { name: 'Harbour' });
  guest = await newAccount('helper');
});
test.afterAll(() => server?.close());

async function signedIn(browser: Browser, { username }: Account, to: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signInAs(page, username);
  await page.goto(to);
  return page;
}

test('a person is invited, works on the server, and loses the right while typing', async ({ browser }) => {
  const { id, address, renter: owner } = server;
  const access = `${address}/access`;
  const hers = await signedIn(browser, owner, access);
  await hers.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = hers.getByRole('dialog');
  await dialog.getByLabel('Username').fill('nobody-of-this-name');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog.getByText('That user doesn’t exist.')).toBeVisible();
  await dialog.getByLabel('Username').fill(guest.username);
  await dialog.getByRole('checkbox', { name: 'Backups' }).uncheck();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(hers.getByText('Invited, hasn’t answered yet')).toBeVisible();
  expect(await axeFinds(hers)).toEqual([]);

  // the invitation waits among the notifications and the servers
  const his = await signedIn(browser, guest, '/dashboard/notifications');
  await expect(
    his.getByText(new RegExp(`${owner.username}.? invited you to the server .?Harbour`)),
  ).toBeVisible();
  await his.goto('/servers/manage');
  await his.getByRole('button', { name: 'Accept the invitation to Harbour' }).click();
  await expect(his.getByText(new RegExp(`Shared by .?${owner.username}`))).toBeVisible();
  await his.getByRole('link', { name: 'Harbour' }).click();
  const tabs = his.getByRole('navigation', { name: 'Server sections' });
  await expect(tabs.getByRole('link', { name: 'Files' })).toBeVisible();
  // each sees the other
  await expect(his.getByText('Here now: 2')).toBeVisible();
  await expect(hers.getByText('Here now: 2')).toBeVisible();

  await cairn('server', '--token', guest.token, 'properties', 'set', id, 'motd=Hello');
  await his.goto(`${address}/files?file=server.properties`);
  const code = his.getByRole('textbox', { name: 'Content of server.properties' });
  await code.click();
  await his.keyboard.type('# written by the helper\n');
  await his.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(his.locator('.editor-head .badge')).toBeHidden();
  await code.click();
  await his.keyboard.type('# not saved any more\n');

  // a dialog that is open meanwhile in another tab
  const list = await his.context().newPage();
  await list.goto(`${address}/files`);
  const properties = list.getByRole('row').filter({ hasText: 'server.properties' });
  await properties.focus();
  await list.getByText('New', { exact: true }).click();
  await list.getByRole('button', { name: 'New folder' }).click();
  await list.getByRole('dialog').getByRole('textbox').fill('too-late');
  const create = list.getByRole('dialog').getByRole('button', { name: 'Create' });
  await expect(create).toHaveAttribute('aria-disabled', 'false');

  await hers.reload();
  await hers.getByRole('button', { name: `Change ${guest.username}` }).click();
  await dialog.getByRole('checkbox', { name: 'Files' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  // at once, and what was typed is still there
  await expect(his.getByText('You can no longer use this page')).toBeVisible({ timeout: 5_000 });
  await expect(code).toContainText('# not saved any more');
  await expect(his.getByRole('button', { name: 'Save', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  );

  await expect(create).toHaveAttribute('aria-disabled', 'true');
  await list.keyboard.press('Escape');
  // the list may have been loaded again by now, which is refused: then there is no row to rename
  await properties.focus({ timeout: 3_000 }).catch(() => undefined);
  await list.keyboard.press('F2');
  await expect(list.getByRole('textbox', { name: /^New name/ })).toBeHidden();

  await hers.getByRole('button', { name: `Remove ${guest.username}` }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(his.getByText('That server doesn’t exist.')).toBeVisible({ timeout: 5_000 });
  await expect(hers.getByText('You’re the only one on this server')).toBeVisible();

  // everything of it is in the activity
  await hers.getByRole('link', { name: 'Activity' }).click();
  const wrote = hers.getByText(new RegExp(`${guest.username}.? edited .?server\\.properties`));
  await expect(wrote).toBeVisible();
  await hers.getByLabel('Type', { exact: true }).selectOption('access');
  await expect(hers.getByText(new RegExp(`${owner.username}.? removed .?${guest.username}`))).toBeVisible();
  await expect(wrote).toBeHidden();
  const [download] = await Promise.all([
    hers.waitForEvent('download'),
    hers.getByRole('button', { name: 'Export as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`activity-${id}.csv`);
  expect(await axeFinds(hers)).toEqual([]);

  for (const path of [access, `${access}/activity`]) {
    await hers.setViewportSize({ width: 390, height: 800 });
    await hers.goto(inLanguage(path, 'ar-SA'));
    await expect(hers.locator('.people, .activity')).toBeVisible();
    expect(await hers.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
  await hers.context().close();
  await his.context().close();
});
