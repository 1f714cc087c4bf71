import { currencyOf } from '#db/money/billing/data/currencies.ts';
import { $viewer } from '../../../platform/browser/current-user.store.ts';

/**
 * The page of Plus is the same for everybody: here it gets the currency of its address, or of the visitor's country, and
 * who has Plus already sees that.
 */
type Prices = Record<string, Array<[sum: string, monthly: string]>>;

const box = document.querySelector<HTMLElement>('[data-plus-prices]')!;
const select = box.querySelector('select')!;
const prices = JSON.parse(box.dataset.plusPrices!) as Prices;
const each = (name: string, fill: (element: HTMLElement, at: number) => void) => {
  box.querySelectorAll<HTMLElement>(`[data-plus-${name}]`).forEach(fill);
};

function show(currency: string): void {
  const chosen = prices[currency];
  if (!chosen) return;
  select.value = currency;
  each('sum', (element, at) => {
    element.textContent = chosen[at]![0];
  });
  each('month', (element, at) => {
    element.textContent = chosen[at]![1];
  });
  each('buy', (element) => {
    const link = element as HTMLAnchorElement;
    const address = new URL(link.href);
    address.searchParams.set('currency', currency);
    link.href = address.pathname + address.search;
  });
}

select.closest<HTMLElement>('[data-plus-currency]')!.hidden = false;
const address = new URL(location.href);
const country = /-([A-Z]{2})\b/.exec(navigator.language)?.[1];
const asked = address.searchParams.get('currency') ?? '';
let is_chosen = Object.hasOwn(prices, asked);
if (is_chosen) show(asked);
else if (country) show(currencyOf(country));
select.addEventListener('change', () => {
  is_chosen = true;
  address.searchParams.set('currency', select.value);
  history.replaceState(history.state, '', address);
  show(select.value);
});

$viewer.subscribe((viewer) => {
  document.documentElement.toggleAttribute('data-has-plus', viewer?.plus === true);
  // where somebody is says more than the language of their browser
  if (viewer?.country && !is_chosen) show(currencyOf(viewer.country));
});
