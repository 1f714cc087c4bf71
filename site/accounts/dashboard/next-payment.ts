import type { PlusView } from '#db/money/billing/plus/read.ts';
import type { Currency } from '#db/money/billing/rules.ts';
import type { SubscriptionView } from '#db/money/billing/view.ts';

/** What somebody pays next by itself. */
export interface NextPayment {
  /** RFC 3339. */
  at: string;
  amount_minor: number;
  currency: Currency;
  /** The server it is for; null for Plus. */
  name: string | null;
}

/** The first renewal of what somebody pays for, with what was chosen for the next period; null where nothing renews. */
export function nextPayment(
  subscriptions: readonly Pick<
    SubscriptionView,
    'state' | 'term' | 'period_end' | 'price_minor' | 'currency' | 'name' | 'change'
  >[],
  plus: Pick<PlusView, 'state' | 'period_end' | 'price_minor' | 'currency' | 'next'> | null,
): NextPayment | null {
  const servers = subscriptions.flatMap(
    ({ state, term, period_end, price_minor, currency, name, change }) => {
      if (state !== 'active' || term === 'trial' || period_end === null) return [];
      const amount_minor = change?.state === 'scheduled' ? change.price_minor : price_minor;
      return [{ at: period_end, amount_minor, currency, name }];
    },
  );
  const own =
    plus?.state === 'active'
      ? [
          {
            at: plus.period_end,
            amount_minor: plus.next?.price_minor ?? plus.price_minor,
            currency: plus.currency,
            name: null,
          },
        ]
      : [];
  return [...servers, ...own].sort((a, b) => Date.parse(a.at) - Date.parse(b.at))[0] ?? null;
}
