import { z } from 'zod';
import type { PayoutDetails } from '#db/money/payouts/details.ts';
import type { OfferedMethod } from '#db/money/payouts/methods.ts';
import type { PayoutView } from '#db/money/payouts/read.ts';
import { limitsOf, payoutStates, payoutTypes } from '#db/money/payouts/rules.ts';
import { Refused } from '#db/platform/errors.ts';

/** Dollars, such as `12.34`. */
export const decimal = z
  .string()
  .regex(/^-?\d+(\.\d{1,6})?$/, 'must be a decimal number with at most six places, as 12.50');

/** Dollars as a number or a text, with at most two decimals, as minor units. */
const dollarsShape = z.union([z.number(), z.string().max(30)]).transform((given, context) => {
  const [, whole, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(String(given)) ?? [];
  if (whole) return Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  context.addIssue({ code: 'custom', message: 'must be dollars with at most two decimals, such as 12.34' });
  return z.NEVER;
});

const currencies = 'USD GBP CAD EUR AUD CHF CZK DKK MXN NOK NZD PLN SEK SGD'.split(' ');

/** What is withdrawn, by which method and where to. Source: api-v3 §3.12. */
export const withdrawalShape = z.object({
  amount: dollarsShape,
  method: z.enum(payoutTypes),
  method_id: z.string().min(1).max(100),
  method_details: z
    .object({
      delivery_email: z.string().max(254).optional(),
      currency: z.enum(currencies as [string, ...string[]]).nullish(),
      iban: z.string().max(60).optional(),
      name: z.string().max(100).optional(),
    })
    .nullish(),
  /** Without one, that of the last withdrawal, or the US. */
  country: z.string().max(2).optional(),
});
type Withdrawal = z.output<typeof withdrawalShape>;

/** Where a request pays to: what it says, else what is kept. Refuses `payout_address_missing`. */
export function receiverOf(
  { method, method_details, country }: Withdrawal,
  kept: PayoutDetails | null,
): { country: string; address: string; receiver: string } {
  const address = {
    paypal: kept?.paypal_address,
    venmo: kept?.venmo_handle,
    tremendous: method_details?.delivery_email ?? kept?.delivery_email,
    bank: method_details?.iban,
  }[method];
  if (!address) throw new Refused('payout_address_missing');
  return {
    address,
    country: country ?? kept?.country ?? 'US',
    receiver: method_details?.name ?? kept?.name ?? '',
  };
}

const interval = z.union([
  z.object({ standard: z.object({ min: decimal, max: decimal }) }),
  z.object({ fixed: z.object({ values: z.array(decimal) }) }),
]);

export const methodShape = z.object({
  id: z.string(),
  type: z.enum(payoutTypes),
  name: z.string(),
  category: z.enum(['paypal', 'bank', 'gift_card', 'prepaid', 'charity', 'other']),
  image_url: z.string().nullable(),
  image_logo_url: z.string().nullable(),
  interval,
  currency_code: z.string().nullable(),
  exchange_rate: z.string().nullable(),
});

const dollarsOf = (minor: number): string => String(minor / 100);

/** A method as clients in a country know it; its amounts are those to ask for, the fee included. */
export function methodView(method: OfferedMethod, country: string): z.input<typeof methodShape> {
  const limits = limitsOf(method, country);
  return {
    ...{ id: method.id, type: method.type, name: method.name, category: method.category },
    ...{ image_url: method.image_url, image_logo_url: method.logo_url, currency_code: method.currency },
    interval:
      'values_minor' in limits
        ? { fixed: { values: limits.values_minor.map(dollarsOf) } }
        : { standard: { min: dollarsOf(limits.min_minor), max: dollarsOf(limits.max_minor) } },
    exchange_rate: method.exchange_rate === null ? null : String(method.exchange_rate),
  };
}

export const withdrawnShape = z.object({
  type: z.literal('withdrawal'),
  id: z.string(),
  status: z.enum(payoutStates),
  created: z.iso.datetime(),
  amount: z.number(),
  fee: z.number(),
  method_type: z.enum(payoutTypes),
  method_id: z.string(),
  method_address: z.string(),
});

/** A payout in a history: `amount` is what was sent, without the fee. */
export const withdrawnView = (payout: PayoutView): z.input<typeof withdrawnShape> => ({
  type: 'withdrawal',
  ...{ id: payout.id, status: payout.state, created: payout.created },
  ...{ amount: (payout.amount_minor - payout.fee_minor) / 100, fee: payout.fee_minor / 100 },
  ...{ method_type: payout.method_type, method_id: payout.method_id, method_address: payout.address },
});
