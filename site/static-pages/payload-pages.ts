import { legalPages, legalPath } from '../legal/legal-pages.ts';

/** The addresses of all prerendered pages, without language; a new page is added here. */
export const payloadPages = async (): Promise<string[]> => [
  '/frog',
  ...legalPages.map(({ page }) => legalPath(page)),
];
