import { expect, type Page } from 'playwright/test';
import { newAccount, signInAs } from './accounts.ts';
import { cairn } from './cairn.ts';

/** Somebody who orders a server, by what stands on the screen. */
const buyers = new WeakMap<Page, { token: string; ids: string[] }>();

/** A new account, signed in, at `path`. Gives its name. */
export async function signedInBuyer(page: Page, path: string): Promise<string> {
  const { username, token } = await newAccount('buyer');
  await signInAs(page, username);
  buyers.set(page, { token, ids: [] });
  await page.goto(path);
  return username;
}

export const main = (page: Page) => page.getByRole('main');
export const title = (page: Page) => page.getByRole('heading', { level: 1 });
export const goOn = (page: Page) => page.getByRole('button', { name: 'Continue' });
export const terms = (page: Page) => page.getByLabel('I accept the game’s EULA');
export const serverName = (page: Page) => page.getByLabel('Name', { exact: true });

/** From the plan to the review of the order; the plan is the one of the address. */
export async function toReview(page: Page, { region = 'North America', card = '4242' } = {}): Promise<void> {
  await goOn(page).click();
  // nobody chooses the only region
  await expect(title(page)).toHaveText(/^Choose (a region|how to pay)$/);
  if ((await title(page).textContent()) === 'Choose a region') {
    await page.getByRole('radio', { name: region }).check();
    await goOn(page).click();
  }
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
  const { token, ids } = buyers.get(page) ?? { token: '', ids: [] };
  for (const id of ids) {
    // the panel opens with the payment; the server is created by a job after that
    await expect(() => cairn('server', '--token', token, 'show', id)).toPass();
    await cairn('server', '--token', token, 'delete', id);
  }
}
