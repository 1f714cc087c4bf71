import type { Db } from '../../../platform/postgres/sql.ts';

/** Rows of one answer. */
const max_rows = 50_000;

export interface RevenueQuery {
  /** Projects whose revenue the reader may see. */
  project_ids: readonly string[];
  /** Only what these people earn; null for all. */
  user_ids: readonly string[] | null;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** Length of a slice in milliseconds; slices begin at `from`. */
  slice_ms: number;
  by: ReadonlyArray<'project_id' | 'user_id'>;
}

export type RevenueRow = {
  /** Number of the slice, from 0. */
  slice: number;
  /** Millionths of a dollar. */
  micros: number;
} & Partial<Record<'project_id' | 'user_id', string>>;

/**
 * What projects earned in slices of time, one statement: a day's income counts at its beginning in UTC. Null when there
 * would be more than 50,000 rows.
 */
export async function revenueSeries(
  db: Db,
  { project_ids, user_ids, from, until, slice_ms, by }: RevenueQuery,
): Promise<RevenueRow[] | null> {
  const columns = (['project_id', 'user_id'] as const).filter((field) => by.includes(field));
  const grouped = columns.map((field) => db`, s.${db(field)}`);
  const rows = await db<RevenueRow[]>`
    select floor((extract(epoch from d.day::timestamp at time zone 'UTC') * 1000 - ${from.getTime()}) / ${slice_ms})::int as slice,
      sum(s.amount_micros)::bigint as micros ${grouped.length > 0 ? grouped : db``}
    from revenue_shares s join revenue_divisions d on d.id = s.division_id
    where d.day::timestamp at time zone 'UTC' >= ${from} and d.day::timestamp at time zone 'UTC' < ${until}
      and s.project_id = any(${[...project_ids]}::text[])
      ${user_ids ? db`and s.user_id = any(${[...user_ids]}::text[])` : db``}
    group by 1 ${grouped.length > 0 ? grouped : db``} order by 1 limit ${max_rows + 1}`;
  return rows.length > max_rows ? null : rows;
}
