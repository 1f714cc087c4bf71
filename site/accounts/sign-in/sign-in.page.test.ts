import { expect, test } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, send, shownIn } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { codeOf, goodPassword, person } from '../../testing/signed-in.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** Signing up and in, and proving who one is, without scripts. */
const database = testDatabase();
const site = testSite(database, {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'cairn',
  OIDC_CLIENT_SECRET: 'open-sesame',
  OIDC_NAME: 'Guild',
});

const step_ms = 30_000;
const signIn = async (visitor: Visitor, username: string, password = goodPassword): Promise<Page> => {
  const page = await visitor.open('/auth/sign-in?redirect=%2Fsettings%2Faccount');
  return await send(
    page,
    'Sign in',
    { 'Email or username': username, Password: password },
    { within: page.main },
  );
};

test('old proofs are asked for again, on the way to what was wanted', async () => {
  const { username } = await person(database.sql);
  const visitor = site.visitor();
  let page = await signIn(visitor, username);
  page.one('heading', { name: 'Account', level: 1 });
  page = await visitor.open('/auth/confirm?redirect=/settings/account');
  page = await send(page, 'Continue', { Password: 'wrong' });
  expect(descriptionOf(field(page, 'Password'))).toContain('That wasn’t right. Try again.');
  page = await send(page, 'Continue', { Password: goodPassword });
  expect(page.url).toBe('/settings/account');
});

test('an app is set up and asked for, and a password is changed', async () => {
  const { username } = await person(database.sql);
  let page = await signIn(site.visitor(), username);
  expect(page.all('button', { name: 'Show password' })).toHaveLength(0);
  page = await send(page, 'Set up an authenticator app');
  const secret = page.text(page.main.querySelector('code')!).replaceAll(/\s/g, '');
  page = await send(page, 'Turn on', { Code: codeOf(secret, new Date(Date.now() - step_ms)) });
  page.one('heading', { name: 'Backup codes', level: 1 });
  expect(page.main.querySelectorAll('li code')).toHaveLength(6);
  page = await send(page, 'I’ve saved them');
  page = await send(page, 'Change password', {
    'Current password': goodPassword,
    'New password': 'Seven slow herons wade west',
    'Repeat password': 'different',
  });
  expect(descriptionOf(field(page, 'Repeat password'))).toContain('Passwords do not match!');
  page = await signIn(site.visitor(), username);
  page.one('heading', { name: 'Confirm your sign-in', level: 1 });
  page = await send(page, 'Sign in', { Code: codeOf(secret, new Date()) }, { within: page.main });
  page.one('heading', { name: 'Account', level: 1 });
});

test('two wrong fields of a new account are said at once, what was typed stays, passwords do not', async () => {
  const visitor = site.visitor();
  let page = await send(await visitor.open('/auth/sign-up'), 'Create account', {
    Username: 'has space',
    Email: 'somebody@example.test',
    Password: 'short',
    'Repeat password': 'short',
  });
  expect(page.url).toBe('/auth/sign-up?error=username_malformed');
  const username = field(page, 'Username');
  expect(descriptionOf(username)).toContain('Use up to 39 letters');
  expect(username.hasAttribute('autofocus')).toBe(true);
  expect(shownIn(username)).toBe('has space');
  expect(shownIn(field(page, 'Email'))).toBe('somebody@example.test');
  expect(descriptionOf(field(page, 'Password'))).toContain('Passwords must be 8 to 256 characters long');
  expect(shownIn(field(page, 'Password'))).toBe('');
  page = await visitor.open('/auth/sign-up');
  expect(shownIn(field(page, 'Username'))).toBe('');
});

test('who declines at another service reads so where they began, and can try again', async () => {
  const page = await site.open('/auth/sign-in?provider_error=provider_declined&provider=Guild');
  expect(page.text(page.main)).toContain('You didn’t allow Guild to sign you in');
  page.one('link', { name: 'Continue with Guild' });
});

test.each(['', 'port=65536', 'port=0', 'port=80@evil.example', 'ipver=5&port=80'])(
  'a launcher at %s is on no computer, and is not signed in',
  async (query) => {
    for (const start of ['/auth/sign-in', '/auth/sign-up']) {
      const page = await site.open(`${start}?launcher=true&${query}`);
      expect(page.url).toBe('/auth/launcher');
      page.one('heading', { name: 'Start again in your launcher', level: 1 });
      page.one('link', { name: 'App and launchers', within: page.main });
      expect(page.all('button', { name: /Sign in|Continue/, within: page.main })).toEqual([]);
    }
  },
);
