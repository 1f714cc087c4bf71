import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import { chromium } from '../chromium.ts';

/** The browser of a test file. */
export interface OwnBrowser {
  browser: Browser;
  /** A page in English of a new visitor, with a cookie of a session if one is given. */
  newPage(
    url: string,
    options?: BrowserContextOptions,
    cookie?: { name: string; value: string },
  ): Promise<Page>;
}

/** Starts a browser for this test file, which ends with it. */
export function ownBrowser(): OwnBrowser {
  const own = {
    async newPage(baseURL, options, cookie) {
      const context = await own.browser.newContext({ baseURL, locale: 'en-US', ...options });
      if (cookie) await context.addCookies([{ ...cookie, url: baseURL, httpOnly: true, sameSite: 'Lax' }]);
      return await context.newPage();
    },
  } as OwnBrowser;
  beforeAll(async () => {
    const executablePath = await chromium();
    own.browser = await playwright.launch({
      ...(executablePath && { executablePath }),
      args: ['--no-sandbox', '--disable-background-networking'],
    });
  });
  afterAll(() => own.browser?.close());
  return own;
}
