import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { columnOf, type Metric, type MetricName, metrics, shownValue, storedValues } from './metrics.ts';
import { type Kept, readSeries, type SeriesRow } from './read.ts';
import type { WantedMetric } from './request-shape.ts';
import {
  type Dimension,
  maxSlices,
  minutely_h,
  shortestSlice,
  unknownCountry,
  whyNotSlices,
  whyNotTime,
} from './rules.ts';

/** A time and its slices, as `slicesOf` makes it. */
export interface Slices {
  from: Date;
  /** Exclusive. */
  until: Date;
  slice_ms: number;
  /** The last slice may be shorter. */
  count: number;
}

/**
 * Divides a time into a number of slices, or slices of some minutes. Refuses `analytics_time_range` and
 * `analytics_slices`. Source: api-v3 §3.13.
 */
export function slicesOf(
  { start, end }: { start: Date; end: Date },
  { slices, minutes }: { slices?: number | undefined; minutes?: number | undefined },
  now: Date,
): Slices {
  assertAllowed(whyNotTime(start, end, now));
  const range_ms = end.getTime() - start.getTime();
  const slice_ms = minutes === undefined ? Math.ceil(range_ms / (slices ?? 1)) : minutes * 60_000;
  const why = whyNotSlices(range_ms, slice_ms);
  const limits = { most: maxSlices, minutes: shortestSlice(range_ms) / 60_000, hours: minutely_h };
  if (why) throw new Refused(why, limits);
  return { from: start, until: end, slice_ms, count: Math.ceil(range_ms / slice_ms) };
}

/** One number of the API: what it is about, and its sum. */
export type MetricEntry = {
  /** Null for sums over several projects. */
  source_project: string | null;
  metric_kind: MetricName;
} & Record<string, string | number | boolean | null>;

/**
 * The entries of a metric by slice, one statement. Sums of a country that say too much about a single person count as
 * unknown, or are left out where countries are chosen (`foldCountries`). Source: api-v3 §3.13.
 */
export async function readMetric(
  db: Db,
  name: MetricName,
  { bucket_by, filter_by }: WantedMetric,
  { project_ids, slices }: { project_ids: readonly string[]; slices: Slices },
  now: Date,
  kept: Kept,
): Promise<MetricEntry[][]> {
  const metric: Metric = metrics[name];
  const fields = [...new Set(bucket_by)];
  const { project_id: chosen, ...filters } = filter_by;
  const only = Object.fromEntries(
    Object.entries(filters).map(([field, values = []]) => [
      columnOf(field),
      values.flatMap((value) => storedValues(field, value)),
    ]),
  ) as Partial<Record<Dimension, string[]>>;
  const isChosen = only.country !== undefined;
  const columns = fields.map(columnOf);
  const rows = await readSeries(
    db,
    {
      kind: metric.kind,
      project_ids: chosen ? project_ids.filter((id) => chosen.includes(id)) : project_ids,
      ...{ from: slices.from, until: slices.until, slice_ms: slices.slice_ms, only },
      // what is chosen by country is told apart by it, or small sums would show through
      by: isChosen && !columns.includes('country') ? [...columns, 'country'] : columns,
    },
    now,
    kept,
  );
  const entries = new Map<string, MetricEntry>();
  const lists = Array.from({ length: slices.count }, (): MetricEntry[] => []);
  for (const row of foldCountries(rows, metric.small, isChosen)) {
    // sums of days begin before a time that does not begin with a day
    const slice = Math.min(slices.count - 1, Math.max(0, row.slice));
    const entry = entryOf(name, fields, row);
    // several stored values may be shown as one, and folded countries are alike
    const key = JSON.stringify([slice, ...fields.map((field) => entry[field]), entry.source_project]);
    const known = entries.get(key);
    if (known) known[metric.value] = (known[metric.value] as number) + row.amount;
    else {
      entries.set(key, entry);
      lists[slice]!.push(entry);
    }
  }
  return lists;
}

function entryOf(name: MetricName, fields: readonly string[], row: SeriesRow): MetricEntry {
  const about = fields
    .filter((field) => field !== 'project_id')
    .map((field) => [field, shownValue(field, row[columnOf(field)] ?? '')]);
  return {
    source_project: fields.includes('project_id') ? (row.project_id ?? null) : null,
    metric_kind: name,
    ...Object.fromEntries(about),
    [metrics[name].value]: row.amount,
  };
}

/**
 * Sums of a country that are below `small` over all slices count as the unknown country, or are left out when countries
 * are `chosen`: so few are single people. Rows without countries stay as they are. Source: api-v3 §3.13.
 */
function foldCountries(rows: readonly SeriesRow[], small: number, chosen: boolean): SeriesRow[] {
  const keyOf = ({ slice, amount, ...about }: SeriesRow) => Object.values(about).join('\n');
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.amount);
  return rows.flatMap((row) => {
    const { country = unknownCountry } = row;
    if (country === unknownCountry || sums.get(keyOf(row))! >= small) return [row];
    return chosen ? [] : [{ ...row, country: unknownCountry }];
  });
}
