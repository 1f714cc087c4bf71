import { expect } from 'vitest';
import { balances } from '#db/money/billing/ledger.ts';
import { reconcileLedger } from '#db/money/billing/revenue/reconcile.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { expectSameMoney } from '#db/testing/stripe/same-money.ts';
import type { Outside } from './outside.ts';

/** US cents of the simulator's account at the beginning. */
const paypalMoney = 100_000_000;

/** Whatever was posted since this moment of the simulation sums to zero in each currency of each transaction. */
export async function assertBalanced(sql: Pool, since: Date): Promise<void> {
  const off = await sql`
    select e.transaction_id, e.currency, sum(e.amount_minor) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
    where t.created >= ${since} group by 1, 2 having sum(e.amount_minor) <> 0`;
  expect([...off]).toEqual([]);
}

/**
 * All books at the end of a day: the ledger sums to zero and agrees with the tables of revenue and payouts; Stripe and PayPal
 * have what it says; each charge was paid once at most, each period by one charge, each refund given and each payout sent
 * once at most. Their money is compared when nothing of the day is still unknown.
 */
export async function assertBooks(
  sql: Pool,
  { stripe, paypal }: Pick<Outside, 'stripe' | 'paypal'>,
): Promise<void> {
  await assertBalanced(sql, new Date(0));
  expect(await reconcileLedger(sql)).toEqual([]);
  const { intents, refunds } = stripe.account;
  const paid = [...intents.values()].filter(({ status }) => status === 'succeeded');
  expect(twice(paid.map(({ metadata }) => metadata.cairn_charge))).toEqual([]);
  expect(twice(refunds.map(({ metadata }) => (metadata as { cairn_refund: string }).cairn_refund))).toEqual(
    [],
  );
  const periods = await sql`
    select subscription_id, period_start, count(*) from charges
    where state = 'succeeded' and reason <> 'change'
    group by 1, 2 having count(*) > 1`;
  expect([...periods]).toEqual([]);
  const plus = await sql`
    select user_id from subscriptions where product = 'plus' and state <> 'ended' group by 1 having count(*) > 1`;
  expect([...plus]).toEqual([]);
  if (!stripe.down) await expectSameMoney(sql, stripe.account);

  const keys = paypal.account.items().map(({ sender_batch_id }) => sender_batch_id);
  expect(twice(keys)).toEqual([]);
  const [sent] = await sql<Array<{ minor: number }>>`
    select coalesce(-sum(amount_minor), 0)::bigint as minor from ledger_entries where account_id = 'payout:paypal'`;
  if (!paypal.down) expect(paypalMoney - paypal.account.balance).toBe(sent!.minor);
  const overdrawn = (await balances(sql)).filter(
    ([account, , minor]) => account.startsWith('creator:') && minor > 0,
  );
  expect(overdrawn).toEqual([]);
}

const twice = (keys: ReadonlyArray<string | undefined>): Array<string | undefined> =>
  keys.filter((key, index) => keys.indexOf(key) !== index);
