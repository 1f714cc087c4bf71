import type { Db } from '../../../platform/postgres/sql.ts';

/** Releases that a history shows: a hundred years of months. */
const max_releases = 1_200;

/** What a creator has and will have. Minor units are US cents, micros millionths of a dollar. */
export interface Balance {
  available_minor: number;
  withdrawn_minor: number;
  /** Since January 1 in UTC, without what came back. */
  withdrawn_year_minor: number;
  pending_micros: number;
  /** By month, the earliest first: its first day. */
  pending: Array<{ period: string; micros: number }>;
}

/** The balance of a creator: what is credited comes from the ledger, what waits from the shares of months to be released. */
export async function balanceOf(db: Db, user_id: string, now: Date): Promise<Balance> {
  const account = `creator:${user_id}`;
  const year = new Date(Date.UTC(now.getUTCFullYear(), 0, 1));
  const [sums] = await db<Array<Omit<Balance, 'pending' | 'pending_micros'>>>`
    select coalesce(-sum(e.amount_minor), 0)::bigint as available_minor,
      coalesce(sum(e.amount_minor) filter (where t.kind = 'payout'), 0)::bigint as withdrawn_minor,
      (select coalesce(sum(amount_minor), 0)::bigint from payouts where user_id = ${user_id} and created >= ${year}
        and state not in ('cancelled', 'failed')) as withdrawn_year_minor
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id where e.account_id = ${account}`;
  const pending = await db<Balance['pending']>`
    select d.period::text as period, sum(s.amount_micros)::bigint as micros
    from revenue_shares s join revenue_divisions d on d.id = s.division_id
    where s.user_id = ${user_id} and d.period not in (select period from revenue_releases)
    group by d.period order by d.period`;
  return { ...sums!, pending, pending_micros: pending.reduce((sum, { micros }) => sum + micros, 0) };
}

/** What was credited to a creator, the latest first. */
export const releasesOf = async (
  db: Db,
  user_id: string,
): Promise<Array<{ created: string; amount_minor: number }>> =>
  await db<Array<{ created: string; amount_minor: number }>>`
    select t.created, -e.amount_minor as amount_minor
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where e.account_id = ${`creator:${user_id}`} and t.kind = 'release'
    order by t.created desc, t.id limit ${max_releases}`;

/** What the site earned on a day, and what of it went to creators, in minor units. */
export interface DayOfRevenue {
  day: string;
  amount_minor: number;
  shared_minor: number;
}

/** The income of the whole site that was divided, by day from `from` until `until`; and all that creators ever got. */
export async function siteRevenue(
  db: Db,
  { from, until }: { from: Date; until: Date },
): Promise<{ shared_minor: number; released_minor: number; days: DayOfRevenue[] }> {
  const days = await db<DayOfRevenue[]>`
    select day::text as day, sum(amount_minor)::bigint as amount_minor, sum(shared_minor)::bigint as shared_minor
    from revenue_divisions
    where revenue_divisions.day >= (${from}::timestamptz at time zone 'UTC')::date
      and revenue_divisions.day < ${until}::timestamptz at time zone 'UTC'
    group by revenue_divisions.day order by revenue_divisions.day`;
  const [all] = await db<Array<{ shared_minor: number; released_minor: number }>>`
    select coalesce(sum(shared_minor), 0)::bigint as shared_minor,
      coalesce(sum(shared_minor) filter (where period in (select period from revenue_releases)), 0)::bigint as released_minor
    from revenue_divisions`;
  return { ...all!, days };
}
