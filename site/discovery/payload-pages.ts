import { legalPages, legalPath } from '../platform/legal/legal-pages.ts';
import { changelogPages } from './changelog/entries.server.ts';
import { docsPaths } from './docs/handbooks.ts';
import { newsPages } from './news/articles.server.ts';

/** The addresses of all prerendered pages, without language; a new page is added here. */
export const payloadPages = async (): Promise<string[]> => [
  '/app',
  '/frog',
  '/plus',
  ...(await changelogPages()),
  ...legalPages.map(({ page }) => legalPath(page)),
  ...(await newsPages()),
  ...(await docsPaths()),
];
