import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Dimension, dimensions, type Kind } from './rules.ts';

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
/** Rows of one answer: more is refused, so that an answer stays within some megabytes. */
const max_rows = 50_000;

export interface SeriesQuery {
  kind: Kind;
  /** Those the reader may see; null for the whole site. */
  project_ids: readonly string[] | null;
  from: Date;
  /** Exclusive. */
  until: Date;
  /** Length of a slice in milliseconds; slices begin at `from`. */
  slice_ms: number;
  /** By what slices are told apart further; `project_id` too. */
  by?: ReadonlyArray<Dimension | 'project_id'>;
  /** Only what has one of these values, by dimension. */
  only?: Partial<Record<Dimension, readonly string[]>>;
}

export type SeriesRow = {
  /** Number of the slice, from 0. */
  slice: number;
  amount: number;
} & Partial<Record<Dimension | 'project_id', string>>;

/** How far back hours are kept, in days. */
export interface Kept {
  records_d: number;
  hours_d: number;
}

/**
 * From which table a series is read. Slices of less than an hour come from the records, of whole days in UTC from days, else
 * from hours as far as they are kept.
 */
export function tableOf(
  { from, until, slice_ms, by = [], only = {} }: Omit<SeriesQuery, 'kind' | 'project_ids'>,
  now: Date,
  kept: Kept,
): 'analytics_records' | 'analytics_hours' | 'analytics_days' | 'analytics_totals' {
  const age_d = (now.getTime() - from.getTime()) / day_ms;
  const isWhole = (ms: number) => from.getTime() % ms === 0 && slice_ms % ms === 0;
  const isPlain = Object.keys(only).length === 0 && by.every((field) => field === 'project_id');
  const daily = isPlain ? 'analytics_totals' : 'analytics_days';
  if (isWhole(day_ms) && (until.getTime() % day_ms === 0 || until >= now)) return daily;
  if (slice_ms < hour_ms && age_d < kept.records_d) return 'analytics_records';
  return age_d < kept.hours_d ? 'analytics_hours' : daily;
}

/**
 * The sums of a series: one statement. Slices without counts are left out. Refuses `analytics_too_large` when it would have
 * more than 50,000 rows.
 */
export async function readSeries(db: Db, query: SeriesQuery, now: Date, kept: Kept): Promise<SeriesRow[]> {
  const { kind, project_ids, from, until, slice_ms, by = [], only = {} } = query;
  const table = tableOf(query, now, kept);
  const isDaily = table === 'analytics_totals';
  const at = isDaily ? db`day` : db`at`;
  const bound = isDaily
    ? db`day >= ${from.toISOString()}::date and day < ${new Date(Math.ceil(until.getTime() / day_ms) * day_ms).toISOString()}::date`
    : db`at >= ${from} and at < ${until}`;
  const grouped = by.filter((field) => field === 'project_id' || dimensions.includes(field));
  const selected = grouped.map((field) => db`, ${column(db, field)} as ${db(field)}`);
  // by time first: there are far fewer times than rows, and numbering slices costs more than adding up
  const isSummed = table === 'analytics_days' || table === 'analytics_hours';
  const columns = all(
    db,
    grouped.map((field) => db`, ${column(db, field)}`),
  );
  const names = all(
    db,
    grouped.map((field) => db`, ${db(field)}`),
  );
  const filters = Object.entries(only).map(
    ([field, values]) => db`and ${column(db, field as Dimension)} = any(${[...values]}::text[])`,
  );
  const rows = await db<SeriesRow[]>`
    select floor((date_part('epoch', ${isDaily ? db`${at}::timestamp` : at}) * 1000 - ${from.getTime()}) / ${slice_ms})::int as slice,
      sum(amount)::bigint as amount${names}
    from (
      select ${at}, ${isSummed ? db`sum(amount) as amount` : db`amount`}${all(db, selected)}
      from ${db(table)}
      where kind = ${kind} and ${bound}
        ${project_ids ? db`and project_id = any(${[...project_ids]}::text[])` : db``} ${all(db, filters)}
      ${isSummed ? db`group by ${at}${columns}` : db``}
    ) as times
    group by 1${names} order by 1 limit ${max_rows + 1}`;
  if (rows.length > max_rows) throw new Refused('analytics_too_large', { most: max_rows });
  return rows;
}

/** Values of every dimension are text. */
const column = (db: Db, field: Dimension | 'project_id') =>
  field === 'monetized' ? db`monetized::text` : db`${db(field)}`;

/** Fragments one after the other: the driver takes an empty list for a value. */
const all = (db: Db, fragments: ReturnType<typeof column>[]) => (fragments.length > 0 ? fragments : db``);

/** The sums of a time, by one dimension or by project, the largest first, at most `most`. */
export async function readBreakdown(
  db: Db,
  {
    by,
    most,
    ...query
  }: Omit<SeriesQuery, 'slice_ms' | 'by'> & { by: Dimension | 'project_id'; most: number },
  now: Date,
  kept: Kept,
): Promise<Array<{ value: string; amount: number }>> {
  const rows = await readSeries(
    db,
    { ...query, slice_ms: Math.max(day_ms, query.until.getTime() - query.from.getTime()), by: [by] },
    now,
    kept,
  );
  return rows
    .map(({ amount, ...row }) => ({ value: row[by] ?? '', amount }))
    .sort((one, other) => other.amount - one.amount || one.value.localeCompare(other.value))
    .slice(0, most);
}
