import { expect, type Page } from 'playwright/test';

/** Waits until the islands of the page have begun: before that a click does nothing, and what is typed is lost. */
export const islandsBegun = (page: Page) => expect(page.locator('astro-island[ssr]')).toHaveCount(0);
