import { expect, test } from 'playwright/test';
import { budgets } from '../bench/pages/budgets.ts';
import { openDemoSession } from '../bench/pages/demo-session.ts';
import { weigh } from '../bench/pages/weigh.ts';

for (const { name, path, work, prerendered: _, signed_in, account, ...most } of budgets) {
  test(`${name} stays within its budget of bytes and requests`, async ({ page }) => {
    if (signed_in) await openDemoSession(page, account);
    const { uncompressed, ...weight } = await weigh(page, path, work);
    const over = Object.entries(weight).filter(([what, value]) => value > most[what as keyof typeof most]);
    expect(over, JSON.stringify(weight)).toEqual([]);
    expect(uncompressed).toEqual([]);
  });
}
