import type { Page } from 'playwright/test';
import { type Budget, budgets } from '../bench/pages/budgets.ts';
import { weigh } from '../bench/pages/weigh.ts';

/** The budget of a page, if it has one. */
export const budgetOf = (path: string): Budget | undefined => budgets.find((budget) => budget.path === path);

/** Opens the page of a budget in a fresh context, with what the budget does there; gives what is too much. */
export async function overBudget(page: Page, { path, work, ...most }: Budget): Promise<string[]> {
  const { uncompressed, ...weight } = await weigh(page, path, work);
  const over = Object.entries(weight)
    .map(([what, value]) => ({ what, value, bound: most[what as keyof typeof weight] }))
    .filter(({ value, bound }) => value > bound)
    .map(({ what, value, bound }) => `${what} is ${value}, at most ${bound}`);
  return [...over, ...uncompressed.map((script) => `${script} is sent uncompressed`)];
}
