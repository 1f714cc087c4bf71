import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { title } from './buyer.ts';
import { signedInNewcomer } from './newcomer.ts';

/**
 * The whole way of an app of others: made in the settings, authorized from its own page, revoked. `authorize.page.test.ts` has it
 * without scripts.
 */
let server: Server;
let client = '';
/** What the page of the app was called with last. */
let heard: URL | null = null;
test.beforeAll(async () => {
  server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', client);
    if (url.pathname === '/back') heard = url;
    const start = decodeURIComponent(url.searchParams.get('start') ?? '');
    const link = start ? `<a href="${start.replaceAll('&', '&amp;')}">Sign in with Cairn</a>` : '';
    res.setHeader('content-type', 'text/html').end(`<title>Herons</title><h1>Herons</h1>${link}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
test.afterAll(() => void server.close());

interface App {
  id: string;
  secret: string;
}

async function makeApp(page: Page): Promise<App> {
  await page.goto('/settings/applications/new');
  await page.getByLabel('Name', { exact: true }).fill('Herons of the lake');
  await page.getByLabel('Website').fill('https://herons.example');
  await page.getByLabel('Redirect URLs').fill(`${client}/back`);
  await page.getByRole('checkbox', { name: /Create projects/ }).check();
  await page.getByRole('button', { name: 'Create application' }).click();
  await expect(title(page)).toHaveText('Herons of the lake');
  const secret = (await page.locator('.secret code').textContent()) ?? '';
  expect(secret).toMatch(/^\w{32}$/);
  const id = /applications\/(\w{8})/.exec(page.url())?.[1] ?? '';
  return { id, secret };
}

/** From the page of the app to ours. */
async function start(page: Page, { id }: App, scope: string): Promise<void> {
  heard = null;
  const query = new URLSearchParams({ client_id: id, redirect_uri: `${client}/back`, scope, state: 'a&b' });
  const address = new URL(`/auth/authorize?${query}`, test.info().project.use.baseURL);
  await page.goto(`${client}/?start=${encodeURIComponent(encodeURIComponent(address.href))}`);
  await page.getByRole('link', { name: 'Sign in with Cairn' }).click();
}

async function tokenOf(page: Page, { id, secret }: App): Promise<string> {
  const form = {
    grant_type: 'authorization_code',
    client_id: id,
    redirect_uri: `${client}/back`,
    code: heard?.searchParams.get('code') ?? '',
  };
  const answer = await page.request.post('/v3/oauth/token', { form, headers: { authorization: secret } });
  return ((await answer.json()) as { access_token: string }).access_token;
}
const statusOf = async (page: Page, token: string) =>
  (await page.request.get('/v2/user', { headers: { authorization: token } })).status();

test('an app is made, declined, authorized, forwarded, revoked and deleted', async ({ page }) => {
  const { username } = await signedInNewcomer(page);
  const app = await makeApp(page);

  await start(page, app, 'USER_READ');
  await expect(title(page)).toHaveText('Herons of the lake wants access to your account');
  await expect(page.getByText(`You’re signed in as ${username}.`)).toBeVisible();
  await expect(page.getByText('See your account, the projects you follow')).toBeVisible();
  await expect(page.getByText('Create projects')).toHaveCount(0);
  await expect(page.getByText(`${client}/back`)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${client}/back?error=access_denied`));
  expect(heard?.searchParams.get('state')).toBe('a&b');

  await start(page, app, 'USER_READ');
  await page.getByRole('button', { name: 'Authorize' }).click();
  await expect(page).toHaveURL((url) => url.href.startsWith(`${client}/back?code=`));
  const token = await tokenOf(page, app);
  expect(await statusOf(page, token)).toBe(200);

  await start(page, app, 'USER_READ'); // granted before: straight through
  await expect(page).toHaveURL((url) => url.href.startsWith(`${client}/back?code=`));

  await page.goto('/settings/authorizations');
  await expect(page.getByText('Herons of the lake')).toBeVisible();
  await page.getByText('Permissions', { exact: true }).click();
  await expect(page.getByRole('checkbox')).toHaveCount(1);
  await page.getByRole('button', { name: 'Save the permissions of Herons of the lake' }).click();
  await expect(page.locator('.toast, .saved').getByText('Changes saved')).toBeVisible();
  expect(await statusOf(page, token)).toBe(200);
  await page.getByRole('button', { name: 'Revoke Herons of the lake' }).click();
  await expect(page.getByText('Authorization revoked')).toBeVisible();
  expect(await statusOf(page, token)).toBe(401);

  await page.goto(`/settings/applications/${app.id}`);
  await page.getByText('Create a new secret').click();
  await page.getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.locator('.secret code')).toHaveText(/^\w{32}$/);
  await expect(page.locator('.secret code')).not.toHaveText(app.secret);
  expect(await axeFinds(page)).toEqual([]);
  await page.locator('summary', { hasText: 'Delete application' }).click();
  await page.getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('Application deleted')).toBeVisible();
  await expect(page.getByText('No applications yet')).toBeVisible();
});
