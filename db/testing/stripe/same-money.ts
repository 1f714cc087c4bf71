import { expect } from 'vitest';
import { balances } from '../../billing/ledger.ts';
import { fromStripe } from '../../billing/processors/stripe/amounts.ts';
import type { Db } from '../../sql.ts';
import type { StripeAccount } from './account.ts';

const processor = 'processor:stripe_test';

/** Expects the ledger's account of the processor to have what the simulator has, in every currency. */
export async function expectSameMoney(db: Db, { balance }: StripeAccount): Promise<void> {
  const held = [...balance]
    .filter(([, amount]) => amount !== 0)
    .map(([currency, amount]) => [processor, currency.toUpperCase(), fromStripe(amount, currency)])
    .sort();
  expect((await balances(db)).filter(([account]) => account === processor)).toEqual(held);
}
