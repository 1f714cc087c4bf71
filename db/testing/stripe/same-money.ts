import { expect } from 'vitest';
import { balances } from '../../money/billing/ledger.ts';
import { fromStripe } from '../../money/billing/processors/stripe/amounts.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { StripeAccount } from './account.ts';

const processor = 'processor:stripe';

/** So long after a payment its fee must be known. */
const told_ms = 3 * 86_400_000;

/**
 * Expects the ledger's account of the processor to have what the simulator has after fees, in every currency. Fees of the
 * last days may still be missing, that nobody has told or asked; each of the others must be the simulator's.
 */
export async function expectSameMoney(db: Db, account: StripeAccount): Promise<void> {
  const charges = await db<Array<{ intent_id: string; fee: number | null; currency: string | null }>>`
    select intent_id, fee_minor as fee, fee_currency as currency from charges
    where processor = 'stripe' and state in ('succeeded', 'refunded') and intent_id is not null`;
  const unknown = await db`
    select intent_id from charges
    where processor = 'stripe' and state in ('succeeded', 'refunded') and fee_minor is null
      and settled < ${new Date(account.clock().getTime() - told_ms)}`;
  expect([...unknown]).toEqual([]);
  const held = new Map(account.balance);
  const fees = new Map(account.booked.map((one) => [one.source.id, one]));
  for (const { intent_id, ...known } of charges) {
    const booked = fees.get(account.intents.get(intent_id)?.latest_charge ?? '');
    if (!booked) continue;
    const { fee, currency } = booked;
    if (known.fee === null) held.set(currency, (held.get(currency) ?? 0) + fee);
    else expect(known).toEqual({ fee: fromStripe(fee, currency), currency: currency.toUpperCase() });
  }
  const expected = [...held]
    .filter(([, amount]) => amount !== 0)
    .map(([currency, amount]) => [processor, currency.toUpperCase(), fromStripe(amount, currency)])
    .sort();
  expect((await balances(db)).filter(([name]) => name === processor)).toEqual(expected);
}
