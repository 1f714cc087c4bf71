import { z } from 'zod';
import type { PayoutOutcome, ProviderState } from '../../provider.ts';

/** Payouts as PayPal tells them. By developer.paypal.com/api/payments.payouts-batch/v1. */

const text = z.string().max(1000);
const errors = z.object({ name: text.optional() }).nullish();

export const itemShape = z.object({
  payout_item_id: text,
  payout_batch_id: text,
  transaction_status: text.optional(),
  payout_item: z.object({ sender_item_id: text.optional() }),
  errors,
});
export type PaypalItem = z.output<typeof itemShape>;

export const batchShape = z.object({
  batch_header: z.object({ payout_batch_id: text, batch_status: text, errors }),
  items: z.array(itemShape).max(1000).optional(),
});

/** What the states of an item stand for; others are on their way. `UNCLAIMED`: it can still be claimed, for 30 days. */
const states: Readonly<Record<string, ProviderState>> = {
  SUCCESS: 'success',
  RETURNED: 'failed',
  BLOCKED: 'failed',
  DENIED: 'failed',
  FAILED: 'failed',
  REFUNDED: 'failed',
  REVERSED: 'failed',
};

/** Why it failed, by PayPal's error; the state tells otherwise. By developer.paypal.com/payouts/troubleshoot. */
const reasons: ReadonlyArray<[error: RegExp, failure: string]> = [
  [/INSUFFICIENT_FUNDS|INSUFFICIENT_BALANCE/, 'funds'],
  [/UNREGISTERED|INVALID_EMAIL|RECEIVER_NOT_FOUND|RECEIVER_ACCOUNT_INVALID|NON_HOLDING/, 'receiver_unknown'],
  [/^RECEIVER_|RECIPIENT|REFUSED|ACCOUNT_LOCKED|ACCOUNT_UNCONFIRMED/, 'receiver_refuses'],
];
const reasonOf = (error: string): string | null => reasons.find(([shape]) => shape.test(error))?.[1] ?? null;

/** The outcome of an item. `canceled`: it came back because it was canceled, not because nobody claimed it. */
export function outcomeOfItem(item: PaypalItem, canceled = false): PayoutOutcome {
  const { transaction_status: status = '', payout_batch_id: reference } = item;
  const state = states[status] ?? 'in-transit';
  if (state !== 'failed') return { reference, state, failure: null };
  if (status === 'RETURNED')
    return canceled
      ? { reference, state: 'cancelled', failure: null }
      : { reference, state, failure: 'unclaimed' };
  const failure = status === 'REFUNDED' ? 'receiver_refuses' : (reasonOf(item.errors?.name ?? '') ?? 'other');
  return { reference, state, failure };
}

/** The outcome of a batch of one item, which has no item when PayPal denied all of it. */
export function outcomeOfBatch({ batch_header, items }: z.output<typeof batchShape>): PayoutOutcome {
  const [item] = items ?? [];
  if (item) return outcomeOfItem(item);
  const { payout_batch_id: reference, batch_status, errors: wrong } = batch_header;
  if (batch_status !== 'DENIED' && batch_status !== 'CANCELED')
    return { reference, state: 'in-transit', failure: null };
  return { reference, state: 'failed', failure: reasonOf(wrong?.name ?? '') ?? 'other' };
}

const refusal = z.object({
  name: text.optional(),
  details: z
    .array(
      z.object({
        field: text.optional(),
        link: z
          .array(z.object({ href: text }))
          .max(20)
          .optional(),
      }),
    )
    .max(100)
    .optional(),
});

/** The batch that has this `sender_batch_id` already, as PayPal's refusal of another names it; null for other refusals. */
export function batchBefore(body: unknown): string | null {
  const { details = [] } = refusal.safeParse(body).data ?? {};
  const links = details
    .filter(({ field }) => field?.toUpperCase() === 'SENDER_BATCH_ID')
    .flatMap(({ link = [] }) => link);
  const ids = links.map(({ href }) => /\/v1\/payments\/payouts\/([\w-]{1,60})$/.exec(href)?.[1]);
  return ids.find((id) => id !== undefined) ?? null;
}

/** Why PayPal refused a request that it understood. */
export function failureOfRefusal(body: unknown): string {
  const { name = '', details = [] } = refusal.safeParse(body).data ?? {};
  if (details.some(({ field }) => /receiver/i.test(field ?? ''))) return 'receiver_unknown';
  return reasonOf(name) ?? 'other';
}
