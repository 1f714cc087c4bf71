import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from 'playwright/test';
import { type OpenIdProvider, openIdProvider } from '../site/testing/openid-provider.ts';
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
const password = 'Nine round boulders rolling';

/** Signs in at the service, on its own page. */
async function atProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/**`);
  await page.locator('[name=login]').fill(name);
  await page.locator('[name=password]').fill('any');
  await page.locator('[type=submit]').click();
}

async function signUp(page: Page, query = ''): Promise<string> {
  const name = `climber-${unique()}`;
  await page.goto(`/auth/sign-up${query}`);
  await page.locator('[name=username]').fill(name);
  await page.locator('[name=email]').fill(`${name}@example.test`);
  await page.locator('[name=password]').fill(password);
  await page.locator('[name=confirm_password]').fill(password);
  await page.getByRole('main').locator('form [type=submit]').last().click();
  return name;
}

/** A program on this computer that waits for its session, as launchers do. */
async function launcher(
  host = '127.0.0.1',
): Promise<{ port: number; code: Promise<string>; server: Server }> {
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

test('a first sign-in by another service makes an account, the next one finds it', async ({ page }) => {
  const name = `ada-${unique()}`;
  await page.goto('/auth/sign-in?redirect=%2Fsettings%2Faccount');
  await page.getByRole('link', { name: 'Continue with Guild' }).click();
  await atProvider(page, name);
  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible();
  const field = page.getByRole('textbox', { name: 'Username' });
  await expect(field).toHaveValue(name);
  await field.fill('no spaces');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await field.fill(name);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: `Welcome to Cairn, ${name}` })).toBeVisible();
  await expect(page.getByRole('checkbox', { name: 'Send me the newsletter' })).toBeChecked();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/settings/account');
  const section = page.locator('#providers');
  await expect(section).toContainText('Guild');
  await section.getByRole('button', { name: 'Remove Guild' }).click();
  await expect(section.locator('.say.bad')).toContainText('only way you can sign in');

  await page.context().clearCookies();
  await page.goto('/auth/sign-in?redirect=%2Fsettings%2Faccount');
  await page.getByRole('link', { name: 'Continue with Guild' }).click();
  await atProvider(page, name);
  await page.waitForURL('**/settings/account');
});

test('an account is added in settings and removed again', async ({ page }) => {
  await signUp(page, '?redirect=%2Fsettings%2Faccount');
  const section = page.locator('#providers');
  await section.getByRole('link', { name: 'Add Guild' }).click();
  await atProvider(page, `grace-${unique()}`);
  await page.waitForURL('**/settings/account');
  await expect(section.getByText('as grace-')).toBeVisible();
  await section.getByRole('button', { name: 'Remove Guild' }).click();
  await expect(section).toContainText('The account was removed');
  await expect(section.getByRole('link', { name: 'Add Guild' })).toBeVisible();
});

test('who changes their mind reads so where they began, and can try again', async ({ page }) => {
  await page.goto('/auth/sign-in');
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().startsWith(provider.issuer)),
    page.getByRole('link', { name: 'Continue with Guild' }).click(),
  ]);
  const state = new URL(request.url()).searchParams.get('state')!;
  const query = new URLSearchParams({ state, error: 'access_denied', iss: provider.issuer });
  await page.goto(`/_internal/auth/callback?${query}`);
  await expect(page.locator('.say.bad').first()).toContainText('You didn’t allow Guild to sign you in');
  await expect(page.getByRole('link', { name: 'Continue with Guild' })).toBeVisible();
});

for (const [ipver, host] of [
  ['4', '127.0.0.1'],
  ['6', '::1'],
] as const)
  for (const javaScriptEnabled of [true, false])
    test.describe(`a launcher over IPv${ipver}, ${javaScriptEnabled ? 'with' : 'without'} scripts`, () => {
      test.use({ javaScriptEnabled });
      test('gets a session of its own once the person agrees', async ({ page, request }) => {
        const waiting = await launcher(host);
        const name = await signUp(page, `?launcher=true&ipver=${ipver}&port=${waiting.port}`);
        await expect(page.getByRole('heading', { name: 'Sign in to your launcher' })).toBeVisible();
        await expect(page.getByText(`asks to be signed in as ${name}`)).toBeVisible();
        await page.getByRole('button', { name: 'Sign in the launcher' }).click();
        await expect(page.getByRole('heading', { name: 'Back to the launcher' })).toBeVisible();
        const code = await waiting.code;
        waiting.server.close();
        const user = await request.get('/v2/user', { headers: { authorization: code } });
        expect(await user.json()).toMatchObject({ username: name });
        const refreshed = await request.post('/v2/session/refresh', { headers: { authorization: code } });
        expect(refreshed.status()).toBe(200);
      });
    });

test('a launcher that names no port on this computer is not signed in', async ({ page }) => {
  for (const query of ['port=65536', 'port=0', 'port=80@evil.example', 'ipver=5&port=80'])
    expect((await page.goto(`/auth/sign-in?launcher=true&${query}`))?.status()).toBe(404);
});

test('the pages fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const waiting = await launcher();
  const fits = async (name: string) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width, name).toBeLessThanOrEqual(390);
    if (process.env.PICTURES) {
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        await page.screenshot({ path: `.tmp/pictures/${name}-390-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.screenshot({ path: `.tmp/pictures/${name}-1280-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 390, height: 844 });
      }
    }
  };
  await page.goto('/auth/sign-in?provider_error=provider_away&provider=Guild');
  await fits('sign-in');
  await page.getByRole('link', { name: 'Continue with Guild' }).click();
  await atProvider(page, `kim-${unique()}`);
  await expect(page.getByRole('heading', { name: 'Choose a username' })).toBeVisible();
  await fits('new-account');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: /^Welcome to Cairn/ })).toBeVisible();
  await fits('welcome');
  await page.goto('/settings/account');
  await fits('account');
  await page.goto('/settings/sessions');
  await fits('sessions');
  await page.goto(`/auth/sign-in?launcher=true&ipver=4&port=${waiting.port}`);
  await expect(page.getByRole('heading', { name: 'Sign in to your launcher' })).toBeVisible();
  await fits('launcher');
  waiting.server.close();
});
