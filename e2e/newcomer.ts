import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';
import { createUser } from '../db/platform/people/write.ts';
import { type Account, newAccount, signInAs } from './accounts.ts';
import { withDatabase } from './database.ts';

/** New accounts, and the mails that the product shows instead of sending them. */

/** A new account without a password, signed in without showing a page. */
export async function signedInNewcomer(page: Page): Promise<Account> {
  const account = await newAccount('new');
  await signInAs(page, account.username);
  return account;
}

export interface Newcomer {
  username: string;
  email: string;
  password: string;
}

const password = 'seven grey lanterns hum';

/** A new account with a password and a verified address, for tests that type it. */
export async function newcomerWithPassword(): Promise<Newcomer> {
  const username = `new-${randomUUID().slice(0, 8)}`;
  const email = `${username}@example.test`;
  await withDatabase((sql) => createUser(sql, { username, email, password, now: new Date() }));
  return { username, email, password };
}

/** Fills the form for a new account, on the page that shows it, and waits until it has led elsewhere. */
export async function signUp(page: Page): Promise<Newcomer> {
  const username = `new-${randomUUID().slice(0, 8)}`;
  const email = `${username}@example.test`;
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Repeat password').fill(password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page).not.toHaveURL(/sign-up/);
  return { username, email, password };
}

/** Opens the newest mail to an address and follows its button, as its reader would; gives the page that opens. */
export async function followMail(page: Page, email: string, button: string): Promise<Page> {
  await page.goto('/dev/mail');
  await page.getByRole('link', { name: email }).first().click();
  const opened = page.waitForEvent('popup');
  await page.locator('iframe').contentFrame().getByRole('link', { name: button }).click();
  return await opened;
}
