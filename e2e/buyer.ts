import { expect, type Page } from 'playwright/test';
import { cairn } from './cairn.ts';

/** Somebody who orders a server, by what stands on the screen. */
const word = 'nine-warm-stones';
let count = 0;
const buyers = new WeakMap<Page, { who: string; ids: string[] }>();

/** Creates an account, and signs it in on the way to `redirect`. Gives its name. */
export async function signedInBuyer(page: Page, redirect: string): Promise<string> {
  const who = `buyer${Date.now().toString(36)}${++count}`;
  await cairn('user', 'create', '--username', who, '--email', `${who}@example.org`, '--password', word);
  await page.goto(redirect); // an anonymous visitor is redirected to sign-in and back
  await page.getByLabel('Email or username').fill(who);
  await page.getByLabel('Password').fill(word);
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL((url) => url.pathname === redirect.split('?')[0]);
  buyers.set(page, { who, ids: [] });
  return who;
}

export const main = (page: Page) => page.getByRole('main');
export const title = (page: Page) => page.getByRole('heading', { level: 1 });
export const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' });
export const terms = (page: Page) => page.getByLabel('I accept the game’s EULA');
export const serverName = (page: Page) => page.getByLabel('Name', { exact: true });

/** From the plan to the review of the order; the plan is the one of the address. */
export async function toReview(page: Page, { region = 'North America', card = '4242' } = {}): Promise<void> {
  await goOn(page).click();
  await page.getByRole('radio', { name: region }).check();
  await goOn(page).click();
  await page.getByRole('radio', { name: new RegExp(card) }).check();
  await goOn(page).click();
  await expect(title(page)).toHaveText('Review your order');
}

/** The server whose panel is open. */
export async function serverOfPanel(page: Page): Promise<string> {
  await expect(page).toHaveURL(/\/servers\/manage\/\w{8}$/);
  const id = new URL(page.url()).pathname.split('/')[3]!;
  buyers.get(page)?.ids.push(id);
  return id;
}

/** Deletes the servers whose panels the buyer of this page opened: others need their places on the node. */
export async function deleteOrdered({ page }: { page: Page }): Promise<void> {
  const { who, ids } = buyers.get(page) ?? { who: '', ids: [] };
  if (ids.length === 0) return;
  const token = await cairn('token', 'create', '--user', who, '--scopes', 'all');
  for (const id of ids) {
    // the panel opens with the payment; the server is created by a job after that
    await expect(() => cairn('server', '--token', token, 'show', id)).toPass();
    await cairn('server', '--token', token, 'delete', id);
  }
}
