import type { Interval } from '#db/billing/rules.ts';
import { priceOf } from '#db/billing/rules.ts';
import { costOf, orderStateOf } from '../order-state.ts';
import { price } from '../price.ts';

/**
 * Updates the order summary and all prices while the visitor chooses a plan; the server renders the choice of the
 * address.
 */

/** Labels of the summary with `{sum}` as placeholder, rendered on the server. */
interface SummaryLabels {
  lines: Record<string, Record<string, string>>;
  after: Record<string, string>;
  each: Record<string, string>;
}
const summary = document.querySelector<HTMLElement>('[data-slip]');
const form = summary?.closest('form');

function follow(slip: HTMLElement, form: HTMLFormElement): void {
  const fields = [...new FormData(form)].filter((one): one is [string, string] => typeof one[1] === 'string');
  const choice = orderStateOf(new URLSearchParams(fields), document.documentElement.lang);
  const labels = JSON.parse(slip.dataset.slip!) as SummaryLabels;
  const formatting = document.documentElement.dataset.formatting!;
  const { term, minor } = costOf(choice);
  const sum = price({ formatting }, minor, choice.currency);
  for (const position of slip.querySelectorAll('[data-sum]')) position.textContent = sum;
  slip.querySelector('[data-line]')!.textContent = labels.lines[choice.plan]![term]!;
  slip.querySelector('[data-then]')!.textContent = labels.after[term]!.replace('{sum}', sum);
  for (const position of form.querySelectorAll<HTMLElement>('[data-cost]')) {
    const cost = priceOf(Number(position.dataset.cost), choice.currency, choice.interval as Interval);
    const text = `${price({ formatting }, cost, choice.currency, { round: true })} ${labels.each[choice.interval]}`;
    position.textContent = (position.dataset.before ?? '') + text;
  }
}

if (summary && form) {
  form.addEventListener('change', () => follow(summary, form));
  // a browser may restore the form's fields
  addEventListener('pageshow', () => follow(summary, form));
}
