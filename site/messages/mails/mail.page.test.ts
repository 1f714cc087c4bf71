import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { descriptionOf, field, send } from '../../testing/fill.ts';
import type { Page } from '../../testing/page.ts';
import { testSite } from '../../testing/test-site.ts';
import type { Visitor } from '../../testing/visitor.ts';

/** What is done by the links of mails, and the page that shows all mails. */
const database = testDatabase();
const site = testSite(database);

const password = 'seven grey lanterns hum';
const second = 'nine brown pebbles sleep';
let count = 0;

/** Makes an account with the newsletter. */
async function newReader(visitor: Visitor): Promise<{ username: string; email: string }> {
  const username = `reader-${++count}`;
  const email = `${username}@example.test`;
  const page = await send(await visitor.open('/auth/sign-up'), 'Create account', {
    ...{ Username: username, Email: email, Password: password, 'Repeat password': password },
    'Send me the newsletter': true,
  });
  expect(page.url).not.toContain('sign-up');
  return { username, email };
}

/** Opens the newest mail to an address and follows its button, as its reader does. */
async function followMail(visitor: Visitor, email: string, button: string): Promise<Page> {
  const box = await visitor.open('/dev/mail');
  const mail = await box.follow(box.all('link').find((link) => link.textContent!.includes(email))!);
  const body = await visitor.open(mail.document.querySelector('iframe')!.getAttribute('src')!);
  const { pathname, search } = new URL(body.one('link', { name: button }).getAttribute('href')!);
  return await visitor.open(pathname + search);
}

const titleOf = (page: Page) => page.text(page.one('heading', { level: 1 }));

test('a new account is verified by the link of its mail, once', async () => {
  const visitor = site.visitor();
  const { email } = await newReader(visitor);
  expect((await visitor.open('/settings/account')).withText('Not verified')).not.toHaveLength(0);

  const opened = await followMail(visitor, email, 'Verify address');
  expect(titleOf(opened)).toBe('Verify your email address');
  expect(titleOf(await send(opened, 'Verify address'))).toBe('Email verified');
  expect((await visitor.open('/settings/account')).withText('Verified')).not.toHaveLength(0);
  expect(titleOf(await visitor.open(opened.url))).toBe('Email already verified');
});

test('a link that leads nowhere says so and offers another one', async () => {
  const visitor = site.visitor();
  const { email } = await newReader(visitor);
  const page = await visitor.open('/auth/verify-email?flow=nothing');
  expect(titleOf(page)).toBe('Email verification failed');
  expect(titleOf(await send(page, 'Send again'))).toBe('Email sent');
  const opened = await followMail(visitor, email, 'Verify address');
  expect(titleOf(await send(opened, 'Verify address'))).toBe('Email verified');
});

test('a forgotten password is set anew by a link', async () => {
  const [before, forgetful] = [site.visitor(), site.visitor()];
  const { username, email } = await newReader(before);
  let page = await forgetful.open('/auth/reset-password');
  page = await send(page, 'Send link', { 'Email or username': username });
  expect(titleOf(page)).toBe('Email sent');

  page = await followMail(forgetful, email, 'Set new password');
  page = await send(page, 'Save password', { Password: second, 'Repeat password': 'another one entirely' });
  expect(page.text(page.main)).toContain('Passwords do not match!');
  page = await send(page, 'Save password', { Password: second, 'Repeat password': second });
  expect(titleOf(page)).toBe('Password successfully reset');

  // the session from before has ended, the old password is wrong, the new one is right
  page = await before.open('/settings/account');
  expect(page.url).toMatch(/^\/auth\/sign-in/);
  const signIn = (given: string) =>
    send(page, 'Sign in', { 'Email or username': email, Password: given }, { within: page.main });
  page = await signIn(password);
  expect(field(page, 'Password').getAttribute('aria-invalid')).toBe('true');
  page = await signIn(second);
  expect(page.url).toBe('/settings/account');
});

test('the newsletter is asked for, confirmed and left without an account', async () => {
  const visitor = site.visitor();
  const email = 'subscriber@example.test';
  let page = await visitor.open('/news');
  page = await page.follow(page.all('link', { name: 'Newsletter' })[0]!);
  page = await send(page, 'Subscribe', { Email: 'no address' });
  expect(descriptionOf(field(page, 'Email'))).toContain('That isn’t a valid email address.');
  page = await send(page, 'Subscribe', { Email: email });
  expect(titleOf(page)).toBe('Email sent');
  page = await followMail(visitor, email, 'Subscribe');
  expect(titleOf(await send(page, 'Subscribe'))).toBe('You’re subscribed');
  expect(titleOf(await visitor.open('/unsubscribe?token=nothing'))).toBe('This link no longer works');
});

test('an administrator looks through all mails', async () => {
  const admin = await site.as((await build.user(database.sql, { role: 'admin' })).username);
  let page = await send(await admin.open('/admin/emails'), 'Show', { 'Search emails': 'digest' });
  page = await page.follow(page.one('link', { name: /digest/ }));
  page = await send(page, 'Show', { Language: 'ar-SA', Theme: 'dark' });
  const mail = await admin.open(page.document.querySelector('iframe')!.getAttribute('src')!);
  expect(mail.document.documentElement.getAttribute('dir')).toBe('rtl');
  mail.one('heading', { level: 1 });
});
