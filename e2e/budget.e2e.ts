import { expect, test } from 'playwright/test';
import { budgets } from '../bench/pages/budgets.ts';
import { demoAccounts } from '../db/demo/demo.ts';
import { signInAs } from './accounts.ts';
import { budgetOf, overBudget } from './over-budget.ts';
import { pages } from './pages.ts';

// those of the pages of `every-page.e2e.ts` are checked there, while the page is loaded anyway
const elsewhere = new Set(pages.map(({ path }) => budgetOf(path)));

for (const budget of budgets.filter((one) => !elsewhere.has(one)))
  test(`${budget.name} stays within its budget of bytes and requests`, async ({ page }) => {
    if (budget.signed_in) await signInAs(page, demoAccounts[budget.account ?? 2]!);
    expect(await overBudget(page, budget)).toEqual([]);
  });
