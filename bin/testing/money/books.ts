import { expect } from 'vitest';
import { reconcileLedger } from '#db/billing/revenue/reconcile.ts';
import type { Pool } from '#db/sql.ts';
import { expectSameMoney } from '#db/testing/stripe/same-money.ts';
import type { StripeSimulator } from '#db/testing/stripe/simulator.ts';

/**
 * The ledger sums to zero in each currency and each transaction. With `stripe`, what is settled is the same at both: the
 * account's money, each charge paid once at most, and each period paid by one charge.
 */
export async function assertBooks(sql: Pool, stripe?: StripeSimulator): Promise<void> {
  const off = await sql`
    select transaction_id, currency, sum(amount_minor) from ledger_entries group by 1, 2 having sum(amount_minor) <> 0`;
  expect([...off]).toEqual([]);
  if (!stripe) return;
  expect(await reconcileLedger(sql)).toEqual([]);
  const paid = new Map<string, number>();
  for (const { status, metadata } of stripe.account.intents.values()) {
    const charge = metadata.cairn_charge!;
    if (status === 'succeeded') paid.set(charge, (paid.get(charge) ?? 0) + 1);
  }
  expect([...paid].filter(([, times]) => times > 1)).toEqual([]);
  const twice = await sql`
    select subscription_id, period_start, count(*) from charges
    where state = 'succeeded' and reason <> 'change'
    group by 1, 2 having count(*) > 1`;
  expect([...twice]).toEqual([]);
  await expectSameMoney(sql, stripe.account);
}
