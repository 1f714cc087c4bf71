import type { Interval } from '#db/billing/rules.ts';
import { priceOf } from '#db/billing/rules.ts';
import { costOf, orderStateOf } from '../order-state.ts';
import { price } from '../price.ts';

/** While one chooses a plan the slip and all prices follow; what the server shows is the choice of the address. */

/** Words of the slip with `{sum}` where the sum goes, made on the server. */
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
  // a browser may bring the form back as it was left
  addEventListener('pageshow', () => follow(summary, form));
}
