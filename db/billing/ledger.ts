import { newId } from '../id.ts';
import type { Db } from '../sql.ts';

/** The fields of a charge that a ledger transaction needs. */
export interface Posting {
  id: string;
  user_id: string;
  processor: string;
  amount_minor: number;
  currency: string;
}
export type PostingKind = 'invoice' | 'payment' | 'void' | 'refund' | 'dispute' | 'dispute_won';

interface Account {
  id: string;
  kind: 'customer' | 'processor' | 'income';
}
const customer = (charge: Posting): Account => ({ id: `customer:${charge.user_id}`, kind: 'customer' });
const processor = (charge: Posting): Account => ({ id: `processor:${charge.processor}`, kind: 'processor' });
const income = (): Account => ({ id: 'income:servers', kind: 'income' });

/** The account that is credited (negative) and the one that is debited (positive). */
const ways: Record<PostingKind, (charge: Posting) => [from: Account, to: Account]> = {
  invoice: (charge) => [income(), customer(charge)],
  payment: (charge) => [customer(charge), processor(charge)],
  void: (charge) => [customer(charge), income()],
  refund: (charge) => [processor(charge), income()],
  dispute: (charge) => [processor(charge), income()],
  dispute_won: (charge) => [income(), processor(charge)],
};

/**
 * Posts one kind of transaction of a charge to the ledger, once: a second call changes nothing. The database rejects
 * entries that do not balance when the caller's transaction commits. Source: design §3.8.
 */
export async function post(tx: Db, kind: PostingKind, charge: Posting, now: Date): Promise<void> {
  const [from, to] = ways[kind](charge);
  for (const account of [from, to].sort((a, b) => (a.id < b.id ? -1 : 1)))
    await tx`insert into ledger_accounts ${tx(account)} on conflict do nothing`;
  const [made] = await tx<Array<{ id: string }>>`
    insert into ledger_transactions ${tx({ id: newId(), kind, charge_id: charge.id, created: now })}
    on conflict (charge_id, kind) do nothing returning id`;
  if (!made) return;
  const { amount_minor, currency } = charge;
  const entry = (account: string, amount: number) => ({
    transaction_id: made.id,
    account_id: account,
    currency,
    amount_minor: amount,
  });
  await tx`insert into ledger_entries ${tx([entry(from.id, -amount_minor), entry(to.id, amount_minor)])}`;
}

/** The balance of each account by currency: `[account, currency, minor units]`, sorted. The sum of all is zero. */
export async function balances(db: Db): Promise<Array<[string, string, number]>> {
  const rows = await db<Array<{ account_id: string; currency: string; balance: number }>>`
    select account_id, currency, sum(amount_minor)::int8 as balance from ledger_entries
    group by account_id, currency having sum(amount_minor) <> 0 order by account_id, currency limit 10000`;
  return rows.map(({ account_id, currency, balance }) => [account_id, currency, balance]);
}
