import { expect, type Locator, type Page } from 'playwright/test';

/** A server, and the person whom it belongs to. */
interface Rented {
  id: string;
  renter: string;
  word: string;
}

/** Opens the page of a server's files, signed in, and waits until the list has arrived. */
export async function openFilesOf(page: Page, { id, renter, word }: Rented, query = ''): Promise<void> {
  const to = `/servers/manage/${id}/files${query}`;
  // an anonymous visitor is redirected to sign-in and back
  await page.goto(to);
  if (new URL(page.url()).pathname.startsWith('/auth')) {
    await page.getByLabel('Email or username').fill(renter);
    await page.getByLabel('Password').fill(word);
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
  }
  await expect(page).toHaveURL(new RegExp(`/servers/manage/${id}/files`));
  // what is in the folder comes by the connection: before that nothing on the page works yet
  const empty = page.getByRole('heading', { name: 'This folder is empty' });
  await expect(list(page).getByRole('gridcell').first().or(empty)).toBeVisible();
}

const list = (page: Page): Locator => page.getByRole('grid', { name: 'Files' });

/** The row of a file or folder. */
export const row = (page: Page, name: string): Locator =>
  list(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Select ${name}`, exact: true }) });

export const toast = (page: Page, text: string | RegExp): Locator =>
  page.locator('.toast').filter({ hasText: text });

export const dialog = (page: Page): Locator => page.getByRole('dialog');
