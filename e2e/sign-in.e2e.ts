import { TOTP } from 'otpauth';
import { type BrowserContext, type CDPSession, expect, type Page, test } from 'playwright/test';
import { axeFinds } from './axe.ts';
import { cairn } from './cairn.ts';
import { port } from './product.ts';

/** Signing up and in: passwords, authenticator apps, passkeys. Passkeys belong to host names, never to addresses. */
test.use({ baseURL: `http://localhost:${port}` });

const word = 'nine-warm-stones';
let count = 0;
async function account(): Promise<string> {
  const who = `walker${Date.now().toString(36)}${++count}`;
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  return who;
}
const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name, exact: true });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function signIn(page: Page, who: string, to = '/settings/account'): Promise<void> {
  await page.goto(`/auth/sign-in?redirect=${encodeURIComponent(to)}`);
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password', { exact: true }).fill(word);
  await button(page, 'Sign in').click();
}
async function signOut(context: BrowserContext): Promise<void> {
  await context.clearCookies();
}
const codeNow = (secret: string, steps = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + steps * 30_000 });

/** A passkey in software that always says yes; gives how it is taken away. */
async function virtualKey(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}

test('a new account: the meter rates its password, mismatching ones are not sent', async ({ page }) => {
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/auth/sign-up') && request.method() === 'POST') sent += 1;
  });
  const who = `newcomer${Date.now().toString(36)}`;
  await page.goto('/auth/sign-up');
  await page.getByLabel('Username').fill(who);
  await page.getByLabel('Email').fill(`${who}@example.test`);
  const password = page.getByLabel('Password', { exact: true });
  await password.pressSequentially('password1');
  await expect(main(page).getByRole('status')).toContainText('lists of leaked passwords');
  await password.fill('aeaeaeaeae');
  await expect(main(page).getByRole('status')).toContainText('easy to guess');
  await password.fill('Copper lanterns hum softly');
  await expect(main(page).getByRole('status')).toHaveText('Strong password.');
  const reveal = main(page).getByRole('button', { name: 'Show password' });
  await reveal.first().click();
  await expect(password).toHaveAttribute('type', 'text');
  await expect(reveal.first()).toHaveAttribute('aria-pressed', 'true');
  await reveal.first().click();
  await expect(password).toHaveAttribute('type', 'password');
  const repeated = page.getByLabel('Repeat password');
  await repeated.fill('Copper lanterns hum loudly');
  await button(page, 'Create account').click();
  await expect(repeated).toHaveAccessibleDescription('Passwords do not match!');
  expect(sent).toBe(0);
  await repeated.fill('Copper lanterns hum softly');
  expect(await axeFinds(page)).toEqual([]);
  await button(page, 'Create account').click();
  await expect(page).not.toHaveURL(/sign-up/);
  expect(sent).toBe(1);
});

test('an authenticator app: set up, asked for, replaced by a backup code, turned off', async ({
  page,
  context,
}) => {
  const who = await account();
  await signIn(page, who);
  await button(page, 'Set up an authenticator app').click();
  await expect(heading(page)).toHaveText('Set up an authenticator app');
  await expect(page.getByRole('img', { name: 'QR code with the secret below' })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  const secret = (await main(page).locator('code').innerText()).replaceAll(/\s/g, '');
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await button(page, 'Turn on').click();
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
    /wrong or was already used/,
  );
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, -1));
  await page.getByLabel('Code', { exact: true }).press('Enter');
  await expect(heading(page)).toHaveText('Backup codes');
  const codes = await main(page).locator('li code').allInnerTexts();
  expect(codes).toHaveLength(6);
  await expect(main(page).getByRole('link', { name: 'Download' })).toHaveAttribute(
    'download',
    'cairn-backup-codes.txt',
  );
  await button(page, 'I’ve saved them').click();
  await expect(main(page)).toContainText('You have 6 backup codes left.');
  await page.goto('/settings/account/backup-codes');
  await expect(heading(page)).toHaveText('Account');

  await signOut(context);
  await signIn(page, who);
  await expect(heading(page)).toHaveText('Confirm your sign-in');
  expect(page.url()).not.toMatch(/flow/);
  await page.getByLabel('Code', { exact: true }).fill('000000');
  await page.getByLabel('Code', { exact: true }).press('Enter');
  await expect(page.getByLabel('Code', { exact: true })).toHaveAccessibleDescription(
    /wrong or was already used/,
  );
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret));
  await page.getByLabel('Code', { exact: true }).press('Enter');
  await expect(heading(page)).toHaveText('Account');

  await signOut(context);
  await signIn(page, who);
  await page.getByLabel('Code', { exact: true }).fill(codes[0]!);
  await page.getByLabel('Code', { exact: true }).press('Enter');
  await expect(main(page)).toContainText('You have 5 backup codes left.');
  await main(page).getByText('Turn off the authenticator app').click();
  await page.getByLabel('Code', { exact: true }).fill(codeNow(secret, 1));
  await button(page, 'Turn off').click();
  await expect(main(page)).toContainText('Your changes were saved');
  await expect(button(page, 'Set up an authenticator app')).toBeVisible();
});

test('a passkey: added, used alone and after the password, proves who one is, renamed, removed', async ({
  page,
  context,
}) => {
  const who = await account();
  await virtualKey(page);
  await signIn(page, who);
  await page.getByPlaceholder('For example, my laptop').fill('My laptop');
  await button(page, 'Add passkey').click();
  await expect(main(page)).toContainText('Never used');
  expect(await axeFinds(page)).toEqual([]);

  // the browser offers it in the field of the username: nobody clicks anything
  await signOut(context);
  await page.goto('/auth/sign-in?redirect=/settings/account');
  await expect(heading(page)).toHaveText('Account');
  await expect(main(page)).toContainText('Last used');

  await button(page, 'Ask for a passkey after the password').click();
  await expect(heading(page)).toHaveText('Backup codes');
  await button(page, 'I’ve saved them').click();
  await expect(button(page, 'Don’t ask for a passkey after the password')).toBeVisible();

  await page.goto('/auth/confirm?redirect=/settings/account');
  await button(page, 'Use a passkey').click();
  await expect(heading(page)).toHaveText('Account');

  await main(page).getByText('Rename').click();
  await page.getByLabel('Name of the passkey').first().fill('Old laptop');
  await button(page, 'Save name').click();
  await expect(button(page, 'Remove the passkey Old laptop')).toBeVisible();
  await button(page, 'Remove the passkey Old laptop').click();
  await expect(main(page)).toContainText('Your changes were saved');
  await expect(main(page).getByText('Old laptop')).toHaveCount(0);
  // with the last passkey none is asked for anymore
  await signOut(context);
  await signIn(page, who);
  await expect(heading(page)).toHaveText('Account');
});

test('a passkey is the second step of a password', async ({ page, browser }) => {
  const who = await account();
  const { cdp, id } = await virtualKey(page);
  await signIn(page, who);
  await page.getByPlaceholder('For example, my laptop').fill('Key');
  await button(page, 'Add passkey').click();
  await button(page, 'Ask for a passkey after the password').click();
  await button(page, 'I’ve saved them').click();
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });

  const context = await browser.newContext({ baseURL: new URL(page.url()).origin });
  const other = await context.newPage();
  await signIn(other, who);
  await expect(heading(other)).toHaveText('Confirm your sign-in');
  const second = await virtualKey(other);
  for (const credential of credentials)
    await second.cdp.send('WebAuthn.addCredential', { authenticatorId: second.id, credential });
  await button(other, 'Use a passkey').click();
  await expect(heading(other)).toHaveText('Account');
  await context.close();
});

test('whoever removes the password signs in by passkey, and keeps it', async ({ page }) => {
  const who = await account();
  await virtualKey(page);
  await signIn(page, who);
  await page.getByPlaceholder('For example, my laptop').fill('Only one');
  await button(page, 'Add passkey').click();
  await button(page, 'Remove password').click();
  await expect(main(page)).toContainText('You sign in without a password.');
  await button(page, 'Remove the passkey Only one').click();
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: 'only way to sign in' })
      .or(main(page).getByText(/only way to sign in|can’t sign in|another way/i))
      .first(),
  ).toBeVisible();
});
