import { type FeeRule, feeOf, type Limits } from '#db/money/payouts/rules.ts';
import { minorTyped } from '../../../platform/forms/typed-number.ts';

/** Shows fee and rest of the amount while it is typed, and says why the button is off. The server checks all of it again. */
interface Facts {
  rule: FeeRule;
  limits: Limits;
  available_minor: number;
  /** What can still be withdrawn this year without a tax form; null when there is one. */
  untaxed_minor: number | null;
  formatting: string;
}

const isWithin = (limits: Limits, amount: number): boolean =>
  'values_minor' in limits
    ? limits.values_minor.includes(amount)
    : amount >= limits.min_minor && amount <= limits.max_minor;

for (const place of document.querySelectorAll<HTMLElement>('[data-withdraw]')) {
  const form = place.closest('form')!;
  const facts = JSON.parse(place.dataset.withdraw!) as Facts;
  const dollars = new Intl.NumberFormat(facts.formatting, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
  });
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  const locked = button.disabled;
  const typed = (name: string) => String(new FormData(form).get(name) ?? '');
  const show = () => {
    const amount = minorTyped(typed('amount'));
    const fee = amount === null ? null : feeOf(facts.rule, amount);
    for (const [name, minor] of [
      ['fee', fee],
      ['net', amount === null || fee === null ? null : Math.max(amount - fee, 0)],
    ] as const)
      form.querySelector(`[data-shows=${name}]`)!.textContent =
        minor === null ? '–' : dollars.format(minor / 100);
    const boxes = [...form.querySelectorAll<HTMLInputElement>('[data-agree]')];
    const reasons: Record<string, boolean> = {
      amount: amount === null || !isWithin(facts.limits, amount) || (fee ?? 0) >= amount,
      insufficient: amount !== null && amount > facts.available_minor,
      tax: facts.untaxed_minor !== null && (amount ?? 0) > facts.untaxed_minor,
      address: typed('address').trim() === '',
      agree: boxes.some(({ checked }) => !checked),
    };
    for (const item of form.querySelectorAll<HTMLElement>('[data-reason]'))
      item.hidden = !reasons[item.dataset.reason!];
    const off = locked || Object.values(reasons).some(Boolean);
    button.disabled = off;
    form.querySelector<HTMLElement>('[data-reasons]')!.hidden = !off;
  };
  for (const chip of form.querySelectorAll<HTMLButtonElement>('[data-amount]')) {
    chip.hidden = false;
    chip.addEventListener('click', () => {
      const field = form.querySelector<HTMLInputElement>('[name=amount]')!;
      field.value = chip.dataset.amount!;
      show();
    });
  }
  form.addEventListener('input', show);
  show();
}
