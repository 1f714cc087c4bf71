import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** The fields of a charge that a ledger transaction needs. */
export interface Posting {
  id: string;
  user_id: string;
  processor: string;
  amount_minor: number;
  currency: string;
}
export type PostingKind = 'invoice' | 'payment' | 'void' | 'refund' | 'dispute' | 'dispute_won';

/** Transactions that belong to no charge. Each is posted once for its reference. */
export type OwnKind = 'fee' | 'earning' | 'division' | 'release' | 'remainder' | 'payout' | 'refund';

/**
 * An account by its kind and what it is about: `customer:<user id>`, `processor:<name>`, `income:servers`,
 * `income:plus`, `fees:<processor>`; of creators' revenue `source:<who pays>`, `undivided:creators`, `platform:revenue`,
 * `pending:<first day of the month>`, `creator:<user id>`, `remainder:creators`, `payout:<provider>` and
 * `platform:payout_fees`.
 */
type AccountId =
  `${'customer' | 'processor' | 'income' | 'fees' | 'source' | 'undivided' | 'platform' | 'pending' | 'creator' | 'remainder' | 'payout'}:${string}`;

/** One side of a transaction in minor units: positive is a debit, negative a credit, never zero. */
interface Entry {
  account: AccountId;
  amount_minor: number;
}

/** A transaction of its own, and how it is called among those of its kind. */
export interface OwnTransaction {
  reference: string;
  currency: string;
  entries: readonly Entry[];
}

const customer = (charge: Posting): AccountId => `customer:${charge.user_id}`;
const processor = (charge: Posting): AccountId => `processor:${charge.processor}`;

/** The account that is credited (negative) and the one that is debited (positive). */
const ways: Record<PostingKind, (charge: Posting, income: AccountId) => [from: AccountId, to: AccountId]> = {
  invoice: (charge, income) => [income, customer(charge)],
  payment: (charge) => [customer(charge), processor(charge)],
  void: (charge, income) => [customer(charge), income],
  refund: (charge, income) => [processor(charge), income],
  dispute: (charge, income) => [processor(charge), income],
  dispute_won: (charge, income) => [income, processor(charge)],
};

/** The income that a charge belongs to: that of servers, or of Plus. */
export async function incomeOf(tx: Db, { id }: Pick<Posting, 'id'>): Promise<AccountId> {
  const [row] = await tx<Array<{ product: 'server' | 'plus' }>>`
    select u.product from charges c join subscriptions u on u.id = c.subscription_id where c.id = ${id}`;
  return row?.product === 'plus' ? 'income:plus' : 'income:servers';
}

/**
 * Posts one kind of transaction of a charge to the ledger, once: a second call changes nothing and gives false. The
 * database rejects entries that do not balance when the caller's transaction commits. Source: design §3.8.
 */
export async function post(tx: Db, kind: PostingKind, charge: Posting, now: Date): Promise<boolean> {
  const { amount_minor, currency } = charge;
  const [from, to] = ways[kind](charge, await incomeOf(tx, charge));
  await insertAccounts(tx, [from, to]);
  const [made] = await tx<Array<{ id: string }>>`
    insert into ledger_transactions ${tx({ id: newId(), kind, charge_id: charge.id, created: now })}
    on conflict (charge_id, kind) do nothing returning id`;
  if (!made) return false;
  const entries = [
    { account: from, amount_minor: -amount_minor },
    { account: to, amount_minor },
  ];
  await insertEntries(tx, [{ id: made.id, currency, entries }]);
  return true;
}

/**
 * Posts transactions that belong to no charge, each once for its kind and reference: those that are posted already are left
 * alone. A few statements for any number. Gives how many are new.
 */
export async function postOwn(
  tx: Db,
  kind: OwnKind,
  transactions: readonly OwnTransaction[],
  now: Date,
): Promise<number> {
  await insertAccounts(
    tx,
    transactions.flatMap(({ entries }) => entries.map(({ account }) => account)),
  );
  const known = new Map(transactions.map((one) => [one.reference, { ...one, id: newId() }]));
  const made = await tx<Array<{ reference: string }>>`
    insert into ledger_transactions (id, kind, reference, created)
    select id, ${kind}, reference, ${now}
    from unnest(${[...known.values()].map(({ id }) => id)}::text[], ${[...known.keys()]}::text[]) as given (id, reference)
    on conflict (kind, reference) do nothing returning reference`;
  await insertEntries(
    tx,
    made.map(({ reference }) => known.get(reference)!),
  );
  return made.length;
}

/** In the order of their ids, so that two transactions wait for each other and do not block. */
async function insertAccounts(tx: Db, accounts: readonly AccountId[]): Promise<void> {
  const ids = [...new Set(accounts)].sort();
  await tx`
    insert into ledger_accounts (id, kind) select id, split_part(id, ':', 1) from unnest(${ids}::text[]) as id
    on conflict do nothing`;
}

async function insertEntries(
  tx: Db,
  transactions: ReadonlyArray<{ id: string; currency: string; entries: readonly Entry[] }>,
): Promise<void> {
  const rows = transactions.flatMap(({ id, currency, entries }) =>
    entries.map(({ account, amount_minor }) => ({ id, currency, account, amount_minor })),
  );
  if (rows.length === 0) return;
  await tx`
    insert into ledger_entries (transaction_id, account_id, currency, amount_minor)
    select * from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ account }) => account)}::text[],
      ${rows.map(({ currency }) => currency)}::text[], ${rows.map(({ amount_minor }) => amount_minor)}::bigint[])`;
}

/** The balance of each account by currency: `[account, currency, minor units]`, sorted. The sum of all is zero. */
export async function balances(db: Db): Promise<Array<[string, string, number]>> {
  const rows = await db<Array<{ account_id: string; currency: string; balance: number }>>`
    select account_id, currency, sum(amount_minor)::int8 as balance from ledger_entries
    group by account_id, currency having sum(amount_minor) <> 0 order by account_id, currency limit 10000`;
  return rows.map(({ account_id, currency, balance }) => [account_id, currency, balance]);
}
