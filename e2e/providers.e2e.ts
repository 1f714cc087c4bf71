import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from 'playwright/test';
import { type OpenIdProvider, openIdProvider } from '../site/testing/openid-provider.ts';
import { signedInNewcomer, signUp } from './newcomer.ts';
import { port } from './product.ts';

/** Signing in by another service, adding and removing it, and handing a session to a launcher. */
let provider: OpenIdProvider;
test.beforeAll(async () => {
  provider = await openIdProvider(`http://127.0.0.1:${port}/_internal/auth/callback`, port + 7);
});
test.afterAll(() => {
  provider.server.closeAllConnections();
  provider.server.close();
});

const unique = () => Math.random().toString(36).slice(2, 10);
const fits = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

/** Signs in at the service, on its own page. */
async function atProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.locator('[type=submit]').click();
}

/** A program on this computer that waits for its session, as launchers do. */
async function launcher(host: string): Promise<{ port: number; code: Promise<string>; server: Server }> {
  let got: (code: string) => void = () => {};
  const code = new Promise<string>((done) => {
    got = done;
  });
  const server = createServer((req, res) => {
    const given = new URL(req.url!, 'http://launcher').searchParams.get('code');
    if (given) got(given);
    res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Back to the launcher</h1>');
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  return { port: (server.address() as AddressInfo).port, code, server };
}

test('a first sign-in by another service makes an account on a phone, the next one finds it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const name = `ada-${unique()}`;
  await page.goto('/auth/sign-in?redirect=%2Fsettings%2Faccount&provider_error=provider_away&provider=Guild');
  await fits(page);
  await page.getByRole('link', { name: 'Continue with Guild' }).click();
  await atProvider(page, name);
  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible();
  await fits(page);
  const field = page.getByRole('textbox', { name: 'Username' });
  await expect(field).toHaveValue(name);
  await field.fill('no spaces');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(name);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: `Welcome to Cairn, ${name}` })).toBeVisible();
  await fits(page);
  await expect(page.getByRole('checkbox', { name: 'Send me the newsletter' })).toBeChecked();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/settings/account');
  await fits(page);
  const section = page.locator('#providers');
  await expect(section).toContainText('Guild');
  await section.getByRole('button', { name: 'Disconnect Guild' }).click();
  await expect(section.locator('.say.bad')).toContainText('only way you can sign in');

  await page.context().clearCookies();
  await page.goto('/auth/sign-in?redirect=%2Fsettings%2Faccount');
  await page.getByRole('link', { name: 'Continue with Guild' }).click();
  await atProvider(page, name);
  await page.waitForURL('**/settings/account');
});

test('an account is added in settings and removed again', async ({ page }) => {
  await page.goto('/auth/sign-up?redirect=%2Fsettings%2Faccount');
  await signUp(page);
  const section = page.locator('#providers');
  await section.getByRole('link', { name: 'Connect Guild' }).click();
  await atProvider(page, `grace-${unique()}`);
  await page.waitForURL('**/settings/account');
  await expect(section.getByText('as grace-')).toBeVisible();
  await section.getByRole('button', { name: 'Disconnect Guild' }).click();
  await expect(section).toContainText('The account was disconnected');
  await expect(section.getByRole('link', { name: 'Connect Guild' })).toBeVisible();
});

/** Lets the launcher in; gives what it got. */
async function letIn(
  page: Page,
  name: string,
  waiting: Awaited<ReturnType<typeof launcher>>,
): Promise<string> {
  await expect(page.getByRole('heading', { name: 'Sign in to your launcher' })).toBeVisible();
  await expect(page.getByText(`wants to sign in as ${name}`)).toBeVisible();
  await fits(page);
  await page.getByRole('button', { name: 'Sign in to the launcher' }).click();
  await expect(page.getByRole('heading', { name: 'Back to the launcher' })).toBeVisible();
  const code = await waiting.code;
  waiting.server.close();
  return code;
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a launcher gets a session of its own once a new person agrees', async ({ page, request }) => {
    const waiting = await launcher('127.0.0.1');
    await page.goto(`/auth/sign-up?launcher=true&ipver=4&port=${waiting.port}`);
    const { username } = await signUp(page);
    const headers = { authorization: await letIn(page, username, waiting) };
    expect(await (await request.get('/v2/user', { headers })).json()).toMatchObject({ username });
    expect((await request.post('/v2/session/refresh', { headers })).status()).toBe(200);
  });

  test.describe('without scripts', () => {
    test.use({ javaScriptEnabled: false });

    test('a launcher over IPv6 gets one of somebody who is signed in', async ({ page, request }) => {
      const waiting = await launcher('::1');
      const { username } = await signedInNewcomer(page);
      await page.goto(`/auth/sign-in?launcher=true&ipver=6&port=${waiting.port}`);
      const headers = { authorization: await letIn(page, username, waiting) };
      expect(await (await request.get('/v2/user', { headers })).json()).toMatchObject({ username });
    });
  });
});
