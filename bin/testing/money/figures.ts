import type { Pool } from '#db/platform/postgres/sql.ts';

/** What a simulation left in the database, counted, for the reader of a run. */
export interface Figures {
  subscriptions: Record<string, number>;
  /** By what was sold and why: `server renewal succeeded`. */
  charges: Record<string, number>;
  declines: Record<string, number>;
  /** Those of staff: the whole or a part, with the service or without. */
  refunds_by_staff: Record<string, number>;
  disputes: Record<string, number>;
  payouts: Record<string, number>;
  /** Charges that were paid. */
  succeeded: number;
  released_months: number;
  ledger_entries: number;
}

/** Counts by kind. */
export async function figuresOf(sql: Pool): Promise<Figures> {
  const counted = async (rows: Promise<Array<{ kind: string; count: number }>>) =>
    Object.fromEntries((await rows).map(({ kind, count }) => [kind, count]));
  type Rows = Array<{ kind: string; count: number }>;
  const [sums] = await sql<Array<Pick<Figures, 'succeeded' | 'released_months' | 'ledger_entries'>>>`
    select (select count(*) from charges where state = 'succeeded')::int as succeeded,
      (select count(*) from revenue_releases)::int as released_months,
      (select count(*) from ledger_entries)::int as ledger_entries`;
  return {
    subscriptions: await counted(sql<Rows>`
      select product || ' ' || state as kind, count(*)::int as count from subscriptions group by 1 order by 1`),
    charges: await counted(sql<Rows>`
      select u.product || ' ' || c.reason || ' ' || c.state as kind, count(*)::int as count
      from charges c join subscriptions u on u.id = c.subscription_id group by 1 order by 1`),
    declines: await counted(sql<Rows>`
      select failure as kind, count(*)::int as count from charges where failure is not null group by 1 order by 1`),
    refunds_by_staff: await counted(sql<Rows>`
      select case when r.amount_minor = c.amount_minor then 'whole' else 'part' end
        || case when r.takes_service then ' with service' else ' without service' end as kind, count(*)::int as count
      from refunds r join charges c on c.id = r.charge_id where r.cause = 'staff' group by 1 order by 1`),
    disputes: await counted(sql<Rows>`
      select dispute as kind, count(*)::int as count from charges where dispute is not null group by 1 order by 1`),
    payouts: await counted(sql<Rows>`
      select state || coalesce(' ' || failure, '') as kind, count(*)::int as count from payouts group by 1 order by 1`),
    ...sums!,
  };
}
