import { expect } from 'vitest';
import { balances } from '#db/billing/ledger.ts';
import { reconcileLedger } from '#db/billing/revenue/reconcile.ts';
import type { Pool } from '#db/sql.ts';
import type { PaypalSimulator } from '#db/testing/paypal/simulator.ts';
import { expectSameMoney } from '#db/testing/stripe/same-money.ts';
import type { StripeSimulator } from '#db/testing/stripe/simulator.ts';

/** US cents of the simulator's account at the beginning. */
const paypalMoney = 100_000_000;

/**
 * The ledger sums to zero in each currency and each transaction. With Stripe and PayPal, what is settled is the same at
 * all: their money, each charge paid once at most, each period by one charge, and each payout sent once at most.
 */
export async function assertBooks(
  sql: Pool,
  outside?: { stripe: StripeSimulator; paypal: PaypalSimulator },
): Promise<void> {
  const off = await sql`
    select transaction_id, currency, sum(amount_minor) from ledger_entries group by 1, 2 having sum(amount_minor) <> 0`;
  expect([...off]).toEqual([]);
  if (!outside) return;
  const { stripe, paypal } = outside;
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

  const keys = paypal.account.items().map(({ sender_batch_id }) => sender_batch_id);
  expect(new Set(keys).size).toBe(keys.length);
  const [sent] = await sql<Array<{ minor: number }>>`
    select coalesce(-sum(amount_minor), 0)::int as minor from ledger_entries where account_id = 'payout:paypal'`;
  expect(paypalMoney - paypal.account.balance).toBe(sent!.minor);
  const below = (await balances(sql)).filter(
    ([account, , minor]) => account.startsWith('creator:') && minor > 0,
  );
  expect(below).toEqual([]);
}
