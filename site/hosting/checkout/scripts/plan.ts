import type { Currency, Interval, Plan } from '#db/money/billing/rules.ts';
import { costOf, type PriceLabels, price, priceText, priceTextWithMonth } from '../price.ts';

/**
 * Updates the order summary and all prices while the visitor chooses plan, memory, interval and currency; the server
 * renders the choice of the address. The memory of another plan than the custom one stays out of the next address.
 */

/** Labels of the summary with `{sum}` and `{size}` as placeholders, rendered on the server. */
interface SummaryLabels {
  lines: Record<string, Record<string, string>>;
  after: Record<string, string>;
  prices: PriceLabels;
}
const summary = document.querySelector<HTMLElement>('[data-slip]');
const form = summary?.closest('form');
const ownSize = form?.querySelector<HTMLSelectElement>('[data-own-size]');

function follow(slip: HTMLElement, form: HTMLFormElement): void {
  const fields = new FormData(form);
  const choice = {
    // a trial that was used cannot be chosen, and then nothing is
    plan: (fields.get('plan') ?? 'medium') as Plan,
    gb: Number(fields.get('gb')),
    interval: fields.get('interval') as Interval,
    currency: fields.get('currency') as Currency,
  };
  const labels = JSON.parse(slip.dataset.slip!) as SummaryLabels;
  const formatting = document.documentElement.dataset.formatting!;
  const { gb, term, minor } = costOf(choice);
  const sum = price({ formatting }, minor, choice.currency);
  const size = form.querySelector<HTMLElement>(`option[data-cost="${gb}"]`)?.dataset.size ?? '';
  for (const position of slip.querySelectorAll('[data-sum]')) position.textContent = sum;
  slip.querySelector('[data-line]')!.textContent = labels.lines[choice.plan]![term]!.replace('{size}', size);
  slip.querySelector('[data-then]')!.textContent = labels.after[term]!.replace('{sum}', sum);
  for (const position of form.querySelectorAll<HTMLElement>('[data-cost]')) {
    const { cost, size: memory } = position.dataset;
    const priced = { ...choice, gb: Number(cost) };
    position.textContent = memory
      ? `${memory} · ${priceText({ formatting }, priced, labels.prices)}`
      : priceTextWithMonth({ formatting }, priced, labels.prices);
  }
}

if (summary && form) {
  ownSize?.addEventListener('change', () => {
    form.querySelector<HTMLInputElement>('[value=custom]')!.checked = true;
  });
  form.addEventListener('change', () => follow(summary, form));
  form.addEventListener('formdata', ({ formData }) => {
    if (formData.get('plan') !== 'custom') formData.delete('gb');
  });
  // a browser may restore the form's fields
  addEventListener('pageshow', () => follow(summary, form));
}
