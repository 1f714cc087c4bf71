import type { Page } from 'playwright/test';
import { demoAccounts, demoPassword } from '#db/demo/demo.ts';

/** Signs the browser in as a demo account without showing a page. */
export async function openDemoSession(page: Page, account = 2): Promise<void> {
  const data = { username: demoAccounts[account], password: demoPassword };
  const answer = await page.request.post('/_internal/auth/sign-in', { data });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}.`);
}
