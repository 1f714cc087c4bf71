import { type Browser, expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { inLanguage } from './pages.ts';

/** Two people on one server, each in a browser: invited, accepted, edits a file, loses the right while typing. */
const tag = Date.now().toString(36);
const owner = `holder${tag}`;
const guest = `helper${tag}`;
const word = 'nine-warm-stones';
let id = '';
let token = '';
let guest_token = '';

test.beforeAll(async () => {
  test.setTimeout(420_000); // the first server on a machine waits for its image
  for (const name of [owner, guest])
    await cairn('user', 'create', '--username', name, '--email', `${name}@example.org`, '--password', word);
  token = await cairn('token', 'create', '--user', owner, '--scopes', 'all');
  guest_token = await cairn('token', 'create', '--user', guest, '--scopes', 'all');
  const wish = ['--plan', 'small', '--name', 'Harbour', '--kind', 'local', '--region', 'north-america'];
  id = await cairn('server', '--token', token, 'create', ...wish);
  const ready = () => cairn('server', '--token', token, 'show', id);
  await expect.poll(ready, { timeout: 300_000 }).toMatch(/stopped|running/i);
});
// others need its place on the node
test.afterAll(async () => void (id && (await cairn('server', '--token', token, 'delete', id))));

async function signedIn(browser: Browser, who: string, to: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  return page;
}

test('a person is invited, works on the server, and loses the right while typing', async ({ browser }) => {
  test.setTimeout(240_000);
  const access = `/servers/manage/${id}/access`;
  const hers = await signedIn(browser, owner, access);
  await hers.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = hers.getByRole('dialog');
  await dialog.getByLabel('User name').fill('nobody-of-this-name');
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(dialog.getByText('That user doesn’t exist.')).toBeVisible();
  await dialog.getByLabel('User name').fill(guest);
  await dialog.getByRole('checkbox', { name: 'Backups' }).uncheck();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(hers.getByText('Invited, no answer yet')).toBeVisible();
  expect(await axeFinds(hers)).toEqual([]);

  // the invitation waits among the notifications and the servers
  const his = await signedIn(browser, guest, '/dashboard/notifications');
  await expect(his.getByText(new RegExp(`${owner}.? invites you to the server .?Harbour`))).toBeVisible();
  await his.goto('/servers/manage');
  await his.getByRole('button', { name: 'Accept the invitation to Harbour' }).click();
  await expect(his.getByText(new RegExp(`Shared by .?${owner}`))).toBeVisible();
  await his.getByRole('link', { name: 'Harbour' }).click();
  const tabs = his.getByRole('navigation', { name: 'Server sections' });
  await expect(tabs.getByRole('link', { name: 'Files' })).toBeVisible();
  // each sees the other
  await expect(his.getByText('Here now: 2')).toBeVisible();
  await expect(hers.getByText('Here now: 2')).toBeVisible();

  await cairn('server', '--token', guest_token, 'properties', 'set', id, 'motd=Hello');
  await his.goto(`/servers/manage/${id}/files?file=server.properties`);
  const code = his.getByRole('textbox', { name: 'Content of server.properties' });
  await code.click();
  await his.keyboard.type('# written by the helper\n');
  await his.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(his.locator('.editor-head .badge')).toBeHidden();
  await code.click();
  await his.keyboard.type('# not saved any more\n');

  // a dialog that is open meanwhile in another tab
  const list = await his.context().newPage();
  await list.goto(`/servers/manage/${id}/files`);
  const properties = list.getByRole('row').filter({ hasText: 'server.properties' });
  await properties.focus();
  await list.getByText('New', { exact: true }).click();
  await list.getByRole('button', { name: 'New folder' }).click();
  await list.getByRole('dialog').getByRole('textbox').fill('too-late');
  const create = list.getByRole('dialog').getByRole('button', { name: 'Create' });
  await expect(create).toHaveAttribute('aria-disabled', 'false');

  await hers.reload();
  await hers.getByRole('button', { name: `Change ${guest}` }).click();
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
  await properties.focus();
  await list.keyboard.press('F2');
  await expect(list.getByRole('textbox', { name: /^New name/ })).toBeHidden();

  await hers.getByRole('button', { name: `Remove ${guest}` }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(his.getByText('That server doesn’t exist.')).toBeVisible({ timeout: 5_000 });
  await expect(hers.getByText('Only you are on this server yet')).toBeVisible();

  // everything of it is in the activity
  await hers.getByRole('link', { name: 'Activity' }).click();
  await expect(hers.getByText(new RegExp(`${guest}.? wrote .?server\\.properties`))).toBeVisible();
  await hers.getByLabel('Kind').selectOption('access');
  await expect(hers.getByText(new RegExp(`${owner}.? removed .?${guest}`))).toBeVisible();
  await expect(hers.getByText(new RegExp(`${guest}.? wrote .?server\\.properties`))).toBeHidden();
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
