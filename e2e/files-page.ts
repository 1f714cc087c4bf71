import { expect, type Locator, type Page } from 'playwright/test';
import type { RentedServer } from './rented-server.ts';
import type { ScriptedNode } from './scripted-node.ts';

type Server = Pick<RentedServer<ScriptedNode>, 'address' | 'open'>;

/** Opens the page of a server's files, signed in, and waits until the list has arrived. */
export async function openFilesOf(page: Page, { address, open }: Server, query = ''): Promise<void> {
  await open(page, `${address}/files${query}`);
  await expect(page).toHaveURL(new RegExp(`${address}/files`));
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
