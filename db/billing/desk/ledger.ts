import type { Db } from '../../sql.ts';
import { ledgerPageSize } from './rules.ts';

/** The ledger as administrators look through it. */

/** A transaction with its entries, in minor units. */
export interface LedgerTransaction {
  id: string;
  kind: string;
  charge_id: string | null;
  reference: string | null;
  created: string;
  entries: Array<{ account: string; currency: string; amount_minor: number }>;
}

export interface LedgerFilter {
  /** Transactions that touch this account. */
  account?: string | undefined;
  /** Those that touch an account of this person. */
  user_id?: string | undefined;
  /** The first day of a month in UTC, such as `2026-11-01`. */
  month?: string | undefined;
  /** Older than this transaction. */
  before?: string | undefined;
}

/** A page of transactions, newest first, one more than `ledgerPageSize` when there are older ones. Checks no rule. */
export async function ledgerTransactions(
  db: Db,
  { account, user_id, month, before }: LedgerFilter,
): Promise<LedgerTransaction[]> {
  const accounts = user_id ? [`customer:${user_id}`, `creator:${user_id}`] : account ? [account] : null;
  const touches = accounts
    ? db`and exists (
        select 1 from ledger_entries e where e.transaction_id = t.id and e.account_id = any(${accounts}))`
    : db``;
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
        select e.account_id as account, e.currency, e.amount_minor from ledger_entries e
        where e.transaction_id = t.id order by e.amount_minor desc, e.account_id limit 100) x) as entries
    from ledger_transactions t where true ${touches} ${within} ${older}
    order by t.created desc, t.id desc limit ${ledgerPageSize + 1}`;
}

/** An account with its sum in one currency, in minor units: positive is a debit. */
export interface AccountSum {
  account: string;
  currency: string | null;
  balance: number;
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
    select a.id as account, e.currency, coalesce(sum(e.amount_minor), 0)::bigint as balance
    from (select id from ledger_accounts order by kind in ('customer', 'creator'), id
        limit ${accounts_per_page} offset ${(page - 1) * accounts_per_page}) a
      left join ledger_entries e on e.account_id = a.id
    group by a.id, e.currency order by split_part(a.id, ':', 1) in ('customer', 'creator'), a.id, e.currency`;
  return { accounts, page, pages };
}
