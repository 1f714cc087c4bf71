import type { Db } from '../../../platform/postgres/sql.ts';
import type { OwnKind, PostingKind } from '../ledger.ts';
import type { IncomeSource } from '../revenue/rules.ts';
import type { Term } from '../rules.ts';
import { ledgerPageSize } from './rules.ts';

/** The ledger as administrators look through it. */

/** What a transaction is about: who, what they bought, and where income comes from or money goes. */
interface LedgerAbout {
  /** Whose money it is; null for that of the installation, and of people who are gone. */
  user_id: string | null;
  username: string | null;
  product: 'server' | 'plus' | null;
  /** The name of the server. */
  server: string | null;
  ram_mb: number | null;
  term: Term | null;
  source: IncomeSource | null;
  /** A day in UTC, or the first one of a month. */
  day: string | null;
  /** The payment service or the one that pays out. */
  service: string | null;
  /** Whether it takes an earlier one back. */
  is_back: boolean;
}

/** A transaction with its entries, in minor units. */
export interface LedgerTransaction {
  id: string;
  kind: PostingKind | OwnKind;
  about: LedgerAbout;
  charge_id: string | null;
  reference: string | null;
  created: string;
  entries: Array<{
    account: string;
    currency: string;
    amount_minor: number;
    /** Whose account it is; null for one of the installation, and of people who are gone. */
    username: string | null;
  }>;
}

export interface LedgerFilter {
  /** Transactions that touch this account. */
  account?: string | undefined;
  /** Those that touch an account of this person or are about their charges; null for somebody who is unknown. */
  user_id?: string | null | undefined;
  /** The first day of a month in UTC, such as `2026-11-01`. */
  month?: string | undefined;
  /** Older than this transaction. */
  before?: string | undefined;
}

/** A page of transactions, newest first, one more than `most` when there are older ones. Checks no rule. */
export async function ledgerTransactions(
  db: Db,
  { account, user_id, month, before }: LedgerFilter,
  most: number = ledgerPageSize,
): Promise<LedgerTransaction[]> {
  if (user_id === null) return [];
  const touches = account
    ? db`and exists (
        select 1 from ledger_entries e where e.transaction_id = t.id and e.account_id = ${account})`
    : db``;
  const theirs = user_id ? db`and t.id in (${ofPerson(db, user_id)})` : db``;
  const within = month
    ? db`and t.created >= ${month}::date::timestamp at time zone 'UTC'
        and t.created < (${month}::date + interval '1 month') at time zone 'UTC'`
    : db``;
  const older = before
    ? db`and (t.created, t.id) < (select b.created, b.id from ledger_transactions b where b.id = ${before})`
    : db``;
  return await db<LedgerTransaction[]>`
    select t.id, t.kind, t.charge_id, t.reference, t.created, (
      select coalesce(jsonb_agg(x), '[]') from (
        select e.account_id as account, e.currency, e.amount_minor, p.username
        from ledger_entries e left join users p on p.id = ${personOf(db)}
        where e.transaction_id = t.id order by e.amount_minor desc, e.account_id limit 100) x) as entries,
      ${aboutOf(db)} as about
    from (
      select t.*, t.reference ~ '^(back|returned):' as is_back,
        -- what comes back names what it takes back
        case when t.reference ~ '^(back|returned|charge|dispute|dispute_won):' then split_part(t.reference, ':', 2)
          else t.reference end as named
      from ledger_transactions t where true ${touches} ${theirs} ${within} ${older}
      order by t.created desc, t.id desc limit ${most + 1}
    ) t
      left join refunds r on t.kind = 'refund' and r.id = t.named
      left join charges c on c.id = coalesce(t.charge_id, r.charge_id, case when t.kind = 'fee' then t.named end)
      left join subscriptions u on u.id = c.subscription_id left join orders o on o.id = u.order_id
      left join servers s on s.id = u.server_id
      left join revenue_incomes i on t.kind = 'earning' and i.id = t.named
      left join revenue_divisions d on t.kind = 'division' and d.id::text = t.named
      left join payouts p on t.kind = 'payout' and p.id = t.named
      left join users w on w.id = coalesce(c.user_id, p.user_id,
        case when t.kind = 'release' then split_part(t.reference, ':', 2) end)
    order by t.created desc, t.id desc`;
}

/** The object of `LedgerAbout`. */
const aboutOf = (
  db: Db,
) => db`jsonb_build_object('user_id', w.id, 'username', w.username, 'product', u.product,
  'server', coalesce(s.name, o.name), 'ram_mb', c.ram_mb, 'term', c.term, 'source', i.source,
  'day', coalesce(i.day, d.day, case when t.kind in ('remainder', 'release') and t.reference ~ '^\\d{4}-\\d\\d-\\d\\d'
    then left(t.reference, 10)::date end)::text,
  'service', coalesce(c.processor, p.provider), 'is_back', coalesce(t.is_back, false))`;

/** The accounts of the installation by their ids, those of people left out; at most 500. */
export const installationAccounts = async (db: Db): Promise<string[]> => {
  const rows = await db<Array<{ id: string }>>`
    select id from ledger_accounts where kind not in ('customer', 'creator') order by id limit 500`;
  return rows.map(({ id }) => id);
};

/** The transactions of somebody: a refund, a dispute and a fee touch only accounts of the installation. */
const ofPerson = (db: Db, user_id: string) => db`
  select e.transaction_id from ledger_entries e
  where e.account_id in (${`customer:${user_id}`}, ${`creator:${user_id}`})
  union
  select x.id from ledger_transactions x join charges c on c.id = x.charge_id where c.user_id = ${user_id}
  union
  select x.id from ledger_transactions x join refunds r on x.kind = 'refund' and x.reference = r.id
    join charges c on c.id = r.charge_id
  where c.user_id = ${user_id}
  union
  select x.id from charges c cross join unnest(array['charge', 'dispute', 'dispute_won']) as what
    join ledger_transactions x on x.kind = 'fee' and x.reference = what || ':' || c.id
  where c.user_id = ${user_id}`;

/** The id of the person whose account an entry is of, or null. */
const personOf = (db: Db) =>
  db`case when split_part(e.account_id, ':', 1) in ('customer', 'creator') then split_part(e.account_id, ':', 2) end`;

/** An account with its sum in one currency, in minor units: positive is a debit. */
export interface AccountSum {
  account: string;
  currency: string | null;
  balance: number;
  /** Whose account it is; null for one of the installation, and of people who are gone. */
  username: string | null;
}
const accounts_per_page = 50;

/** Accounts with their sums, by name, a page at a time; people's accounts come among the others. */
export async function accountSums(
  db: Db,
  requested: number,
): Promise<{ accounts: AccountSum[]; page: number; pages: number }> {
  const [count] = await db<[{ total: number }]>`select count(*)::int as total from ledger_accounts`;
  const pages = Math.max(1, Math.ceil(count.total / accounts_per_page));
  const page = Math.min(Math.max(1, requested), pages);
  const accounts = await db<AccountSum[]>`
    select a.id as account, e.currency, coalesce(sum(e.amount_minor), 0)::bigint as balance, p.username
    from (select id, kind from ledger_accounts order by kind in ('customer', 'creator'), id
        limit ${accounts_per_page} offset ${(page - 1) * accounts_per_page}) a
      left join ledger_entries e on e.account_id = a.id
      left join users p on a.kind in ('customer', 'creator') and p.id = split_part(a.id, ':', 2)
    group by a.id, e.currency, p.username order by split_part(a.id, ':', 1) in ('customer', 'creator'), a.id, e.currency`;
  return { accounts, page, pages };
}
