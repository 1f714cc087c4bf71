import type { Page } from 'playwright/test';

/** An address, and every key that is a shortcut somewhere: nothing of it may leave the editor. */
export const address_text = 'See https://example.org/a/b?c=d#e and/or C c E e R r S s Z z F f.';

/** Types it key by key into what has the focus, the search box's key first. */
export async function typeAddress(page: Page): Promise<void> {
  await page.keyboard.type(`/ ${address_text}`);
}
