import { randomUUID } from 'node:crypto';
import { expect, type Page } from 'playwright/test';

/** Somebody who makes an account in the browser, and the mails that the product shows instead of sending them. */
export interface Newcomer {
  username: string;
  email: string;
  password: string;
}

/** Fills the form for a new account, on the page that shows it, and waits until it has led elsewhere. */
export async function signUp(page: Page): Promise<Newcomer> {
  const username = `new-${randomUUID().slice(0, 8)}`;
  const email = `${username}@example.test`;
  const password = 'seven grey lanterns hum';
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
