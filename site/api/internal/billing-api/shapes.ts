import { z } from 'zod';
import { sizeOf } from '#db/hosting/servers/sizes.ts';
import type { PaymentRecord, SubscriptionRecord } from '#db/money/billing/desk/records.ts';
import { taxIn } from '#db/money/billing/invoices/rules.ts';
import { plusPriceOf } from '#db/money/billing/plus/rules.ts';
import { platformOf } from '#db/money/billing/processors/known.ts';
import {
  type Currency,
  currencies,
  customGb,
  type Interval,
  intervals,
  priceOf,
  regions,
  standardPlans,
  type Term,
  trialGb,
} from '#db/money/billing/rules.ts';
import { Refused } from '#db/platform/errors.ts';

/** Billing as programs read it: amounts in minor units. Source: api-v3 §6. */

const intervalNames = ['five-days', 'monthly', 'quarterly', 'yearly'] as const;
const nameOf = (term: Term): (typeof intervalNames)[number] => (term === 'trial' ? 'five-days' : term);

const sized = { cpu: z.number(), ram: z.int(), swap: z.int(), storage: z.int() };
export const productShape = z.object({
  id: z.string(),
  metadata: z.discriminatedUnion('type', [
    z.object({ type: z.literal('midas') }),
    z.object({ type: z.literal('pyro'), ...sized }),
    z.object({ type: z.literal('medal'), ...sized, region: z.string() }),
  ]),
  prices: z.array(
    z.object({
      id: z.string(),
      product_id: z.string(),
      prices: z.object({
        type: z.literal('recurring'),
        intervals: z.partialRecord(z.enum(intervalNames), z.int()),
      }),
      currency_code: z.string(),
    }),
  ),
  unitary: z.boolean(),
});
type Product = z.output<typeof productShape>;

const productId = (gb: number): string => `pyro-${gb * 1024}`;
const priceId = (gb: number, currency: string): string => `${productId(gb)}-${currency}`;
/** The product that Plus is. */
export const plusProduct = 'midas';

const metadataOf = (gb: number) => {
  const { cpu_millis, ram_mb, swap_mb, disk_mb } = sizeOf(gb);
  return { cpu: cpu_millis / 1000, ram: ram_mb, swap: swap_mb, storage: disk_mb };
};

/** Plus, every size of servers, the standard plans first, and the trial. */
export function products(): Product[] {
  const standard: number[] = Object.values(standardPlans).map(({ gb }) => gb);
  const custom: number[] = [];
  for (let gb: number = customGb.least; gb <= customGb.most; gb += customGb.step)
    if (!standard.includes(gb)) custom.push(gb);
  const servers = [...standard, ...custom].map((gb) => ({
    id: productId(gb),
    metadata: { type: 'pyro' as const, ...metadataOf(gb) },
    prices: (Object.keys(currencies) as Currency[]).map((currency) => ({
      ...{ id: priceId(gb, currency), product_id: productId(gb), currency_code: currency },
      prices: {
        type: 'recurring' as const,
        intervals: Object.fromEntries(
          (Object.keys(intervals) as Interval[]).map((term) => [term, priceOf(gb, currency, term)]),
        ),
      },
    })),
    unitary: false,
  }));
  const plus = {
    id: plusProduct,
    metadata: { type: 'midas' as const },
    prices: (Object.keys(currencies) as Currency[]).map((currency) => ({
      ...{ id: priceIdOf(null, currency), product_id: plusProduct, currency_code: currency },
      prices: {
        type: 'recurring' as const,
        intervals: Object.fromEntries(
          (Object.keys(intervals) as Interval[]).map((term) => [term, plusPriceOf(currency, term)]),
        ),
      },
    })),
    unitary: true,
  };
  const trial = {
    id: 'medal',
    metadata: { type: 'medal' as const, ...metadataOf(trialGb), region: regions[0] },
    prices: [
      {
        ...{ id: 'medal-USD', product_id: 'medal', currency_code: 'USD' },
        prices: { type: 'recurring' as const, intervals: { 'five-days': 0 } },
      },
    ],
    unitary: true,
  };
  return [plus, ...servers, trial];
}

/** The memory of a product of servers. Refuses `plan_unknown`. */
export function ramOf(product_id: string): number {
  const mb = Number(/^pyro-(\d{4,5})$/.exec(product_id)?.[1] ?? 0);
  if (mb === 0 || mb % 1024 !== 0) throw new Refused('plan_unknown', { plan: product_id, allowed: 'pyro-…' });
  return mb / 1024;
}

/** A size as the plan that has it. */
export const planOf = (gb: number): { plan: string; ram_gb: number | null } => {
  const [plan] = Object.entries(standardPlans).find(([, one]) => one.gb === gb) ?? [];
  return plan ? { plan, ram_gb: null } : { plan: 'custom', ram_gb: gb };
};

export const subscriptionShape = z.object({
  id: z.string(),
  user_id: z.string(),
  price_id: z.string(),
  interval: z.enum(intervalNames),
  status: z.enum(['provisioned', 'unprovisioned']),
  created: z.iso.datetime(),
  metadata: z.union([
    z.object({ type: z.literal('pyro'), id: z.string(), region: z.string().nullable() }),
    z.object({ type: z.literal('medal'), id: z.string() }),
    z.null(),
  ]),
  next_charge_tax_amount: z.int().nullable(),
});
/** A subscription; `rate` is the tax in thousandths of a percent. */
export const subscriptionJson = (
  one: SubscriptionRecord,
  rate: number,
): z.input<typeof subscriptionShape> => ({
  ...{ id: one.id, user_id: one.user_id, interval: nameOf(one.term), created: one.created },
  price_id: one.term === 'trial' ? 'medal-USD' : priceIdOf(one.ram_mb, one.currency),
  status: one.state === 'ended' || one.state === 'pending' ? 'unprovisioned' : 'provisioned',
  metadata:
    one.server_id === null
      ? null
      : one.term === 'trial'
        ? { type: 'medal', id: one.server_id }
        : { type: 'pyro', id: one.server_id, region: one.region },
  next_charge_tax_amount: one.state === 'active' ? taxIn(one.price_minor, rate) : null,
});

export const paymentShape = z.object({
  id: z.string(),
  user_id: z.string(),
  price_id: z.string(),
  amount: z.int(),
  currency_code: z.string(),
  status: z.enum(['open', 'processing', 'succeeded', 'failed', 'cancelled', 'expiring']),
  due: z.iso.datetime(),
  last_attempt: z.iso.datetime().nullable(),
  type: z.enum(['one-time', 'subscription', 'proration', 'refund']),
  subscription_id: z.string(),
  subscription_interval: z.enum(intervalNames),
  platform: z.enum(['Stripe', 'None']),
  parent_charge_id: z.string().nullable(),
  net: z.int().optional().meta({ description: 'For administrators' }),
});
const statuses = { open: 'open', waiting: 'processing', failed: 'failed' } as const;
/** A charge or a refund; administrators see what is left of it. */
export const paymentJson = (one: PaymentRecord, isStaff: boolean): z.input<typeof paymentShape> => ({
  ...{ id: one.id, user_id: one.user_id, amount: one.amount, currency_code: one.currency },
  price_id: priceIdOf(one.ram_mb, one.currency),
  status: statuses[one.state as keyof typeof statuses] ?? 'succeeded',
  ...{ due: one.created, last_attempt: one.last_tried, subscription_id: one.subscription_id },
  type: one.kind === 'refund' ? 'refund' : one.kind === 'change' ? 'proration' : 'subscription',
  subscription_interval: nameOf(one.term),
  platform: platformOf(one.processor),
  parent_charge_id: one.parent,
  ...(isStaff && { net: one.net }),
});

/** A price of a size of servers, or of Plus (null), as `price_id` names it. */
export const priceIdOf = (ram_mb: number | null, currency: string): string =>
  ram_mb === null ? `${plusProduct}-${currency}` : priceId(ram_mb / 1024, currency);
