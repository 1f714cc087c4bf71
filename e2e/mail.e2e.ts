import { randomUUID } from 'node:crypto';
import { expect, type Page, test } from 'playwright/test';
import { followMail, type Newcomer, signUp } from './newcomer.ts';

const second = 'nine brown pebbles sleep';

/** Signs a new account up in the browser, with the newsletter. */
async function newReader(page: Page): Promise<Newcomer> {
  await page.goto('/auth/sign-up');
  await page.getByLabel('Send me the newsletter').check();
  return await signUp(page);
}

test('a new account is verified by the link of its mail, once', async ({ page }) => {
  const { email } = await newReader(page);
  await page.goto('/settings/account');
  await expect(page.getByText('Not verified')).toBeVisible();

  const opened = await followMail(page, email, 'Verify address');
  await expect(opened.getByRole('heading', { name: 'Verify your email address' })).toBeVisible();
  const link = opened.url();
  await opened.getByRole('button', { name: 'Verify address' }).click();
  await expect(opened.getByRole('heading', { name: 'Email verified' })).toBeVisible();

  await page.goto('/settings/account');
  await expect(page.getByText('Verified', { exact: true })).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Email already verified' })).toBeVisible();
});

test('a link that leads nowhere says so and offers another one', async ({ page }) => {
  const { email } = await newReader(page);
  await page.goto('/auth/verify-email?flow=nothing');
  await expect(page.getByRole('heading', { name: 'Email verification failed' })).toBeVisible();
  await page.getByRole('button', { name: 'Send link again' }).click();
  await expect(page.getByRole('heading', { name: 'Email sent' })).toBeVisible();
  const opened = await followMail(page, email, 'Verify address');
  await opened.getByRole('button', { name: 'Verify address' }).click();
  await expect(opened.getByRole('heading', { name: 'Email verified' })).toBeVisible();
});

test('a forgotten password is set anew by a link, without scripts too', async ({ page, browser }) => {
  const { username, email, password } = await newReader(page);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto('/auth/reset-password');
  await plain.getByLabel('Email or username').fill(username);
  await plain.getByRole('button', { name: 'Send link' }).click();
  await expect(plain.getByRole('heading', { name: 'Email sent' })).toBeVisible();

  const opened = await followMail(page, email, 'Set new password');
  await plain.goto(opened.url());
  await plain.getByLabel('Password', { exact: true }).fill(second);
  await plain.getByLabel('Repeat password').fill('another one entirely');
  await plain.getByRole('button', { name: 'Save password' }).click();
  await expect(plain.getByText('Passwords do not match!')).toBeVisible();
  await plain.getByLabel('Password', { exact: true }).fill(second);
  await plain.getByLabel('Repeat password').fill(second);
  await plain.getByRole('button', { name: 'Save password' }).click();
  await expect(plain.getByRole('heading', { name: 'Password successfully reset' })).toBeVisible();
  await context.close();

  // the session from before has ended, the old password is wrong, the new one is right
  await page.goto('/settings/account');
  await expect(page).toHaveURL(/sign-in/);
  await page.getByLabel('Email or username').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Password', { exact: true }).fill(second);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/settings\/account/);
});

test('the newsletter is asked for, confirmed and left without an account', async ({ page }) => {
  const email = `reader-${randomUUID().slice(0, 8)}@example.test`;
  await page.goto('/news');
  await page.getByRole('link', { name: 'Newsletter' }).click();
  await page.getByLabel('Email').fill('no address');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('That isn’t a valid email address.')).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Email sent' })).toBeVisible();
  const opened = await followMail(page, email, 'Subscribe');
  await opened.getByRole('button', { name: 'Subscribe' }).click();
  await expect(opened.getByRole('heading', { name: 'You’re subscribed' })).toBeVisible();
  await page.goto('/unsubscribe?token=nothing');
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
});

test('an administrator looks through all mails', async ({ page, request }) => {
  const data = { username: 'admin', password: 'stack-seven-stones' };
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await request.post('/_internal/auth/sign-in', { data, headers });
  expect(answer.ok()).toBe(true);
  await page.context().addCookies((await request.storageState()).cookies);
  await page.goto('/admin/emails');
  await page.getByLabel('Search mails').fill('digest');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: /digest/ }).click();
  await page.getByLabel('Language').selectOption('ar-SA');
  await page.getByLabel('Theme').selectOption('dark');
  await page.getByRole('button', { name: 'Show' }).click();
  const mail = page.locator('iframe').contentFrame();
  await expect(mail.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(mail.getByRole('heading', { level: 1 })).toBeVisible();
});
