import type { Db } from '../../../platform/postgres/sql.ts';
import type { MonthRange } from './rules.ts';

/** Lines of a report: accounts of a kind by month. */
const max_lines = 10_000;

/** What came into accounts of a kind in a month and what left them, in minor units. */
export interface LedgerLine {
  month: string;
  account: string;
  currency: string;
  debit: number;
  credit: number;
}

/**
 * The ledger by month in UTC, the latest first; accounts of people are taken together by their kind. What was invoiced and
 * never paid counts as never invoiced, on the side where it stood. Reads these months only.
 */
export const ledgerReport = async (db: Db, { from, until }: MonthRange): Promise<LedgerLine[]> =>
  await db<LedgerLine[]>`
    select to_char(x.month, 'YYYY-MM') as month,
      case when a.kind in ('customer', 'creator') then a.kind else a.id end as account, x.currency,
      sum(x.debit)::bigint as debit, sum(x.credit)::bigint as credit
    from (
      select date_trunc('month', e.created at time zone 'UTC') as month, e.account_id, e.currency,
        coalesce(sum(e.amount_minor) filter (where (e.amount_minor > 0) <> (t.kind = 'void')), 0) as debit,
        coalesce(-sum(e.amount_minor) filter (where (e.amount_minor < 0) <> (t.kind = 'void')), 0) as credit
      from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
      where e.created >= ${from}::date::timestamp at time zone 'UTC'
        and e.created < (${until}::date + interval '1 month') at time zone 'UTC'
      group by 1, 2, 3
    ) x join ledger_accounts a on a.id = x.account_id
    group by 1, 2, 3 order by 1 desc, 2, 3 limit ${max_lines}`;

/** How many subscriptions there are by where they stand. */
interface SubscriptionFigures {
  servers: number;
  plus: number;
  failed: number;
  suspended: number;
}

/** Subscriptions that are paid, whose payment failed, and servers in their grace period; trials are not counted as paid. */
export async function subscriptionFigures(db: Db): Promise<SubscriptionFigures> {
  const [row] = await db<[SubscriptionFigures]>`
    select count(*) filter (where product = 'server' and state in ('active', 'cancelled') and term <> 'trial')::int as servers,
      count(*) filter (where product = 'plus' and state in ('active', 'failed', 'cancelled'))::int as plus,
      count(*) filter (where state = 'failed')::int as failed,
      count(*) filter (where state = 'grace')::int as suspended
    from subscriptions`;
  return row;
}
