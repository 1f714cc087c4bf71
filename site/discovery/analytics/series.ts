import type { Breakdown, Metric } from './choice.ts';
import { fields } from './choice.ts';
import { most_lines } from './line-style.ts';
import { type Period, slicesAt } from './ranges.ts';

/** One sum of an answer of POST /v3/analytics: its bucket fields, and its value by the name of the metric. */
interface Entry {
  source_project?: string | null;
  metric_kind: string;
  [field: string]: unknown;
}
/** One list of sums for each slice. */
export type Slices = ReadonlyArray<readonly Entry[]>;

const valueFields: Record<Metric, string> = { downloads: 'downloads', views: 'views', playtime: 'seconds' };
/** A kind is named with or without what it belongs to. */
const isOf = ({ metric_kind }: Entry, metric: Metric): boolean =>
  metric_kind === metric || metric_kind === `project_${metric}`;
const amountOf = (entry: Entry, metric: Metric): number => {
  const value = isOf(entry, metric) ? entry[valueFields[metric]] : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};

/** A metric over time: by slice, in all and by project. */
export interface Series {
  /** When each slice begins, in milliseconds since 1970. */
  times: number[];
  totals: number[];
  sum: number;
  /** The largest first. */
  projects: Array<{ id: string; values: number[]; sum: number }>;
}

/** The series of one metric in an answer by project; a slice without counts is zero. */
export function seriesOf(slices: Slices, metric: Metric, period: Period & { minutes: number }): Series {
  const times = slicesAt(period);
  const totals = times.map(() => 0);
  const projects = new Map<string, number[]>();
  for (const [slice, entries] of slices.slice(0, times.length).entries())
    for (const entry of entries) {
      const amount = amountOf(entry, metric);
      if (amount === 0) continue;
      totals[slice]! += amount;
      const id = entry.source_project ?? '';
      const values = projects.get(id) ?? times.map(() => 0);
      values[slice]! += amount;
      projects.set(id, values);
    }
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return {
    times,
    totals,
    sum: sumOf(totals),
    projects: [...projects]
      .map(([id, values]) => ({ id, values, sum: sumOf(values) }))
      .sort((one, other) => other.sum - one.sum || one.id.localeCompare(other.id)),
  };
}

/** A period without what is empty at its beginning, and its slices; at least two stay. */
export function withoutEmptyStart<P extends Period & { minutes: number }>(
  slices: Slices,
  period: P,
): { slices: Slices; period: P } {
  const first = slices.findIndex((entries) => entries.length > 0);
  const left_out = Math.max(0, Math.min(first === -1 ? slices.length : first - 1, slices.length - 2));
  const start = period.start + left_out * period.minutes * 60_000;
  return { slices: slices.slice(left_out), period: { ...period, start } };
}

/** The projects that have a line of their own, and the sum of all others; null if there are none. */
export function linesOf({ projects, times }: Pick<Series, 'projects' | 'times'>): {
  own: Series['projects'];
  others: { count: number; values: number[]; sum: number } | null;
} {
  const own = projects.slice(0, most_lines);
  const rest = projects.slice(most_lines);
  if (rest.length === 0) return { own, others: null };
  const values = times.map((_, slice) => rest.reduce((sum, one) => sum + one.values[slice]!, 0));
  return {
    own,
    others: { count: rest.length, values, sum: rest.reduce((sum, one) => sum + one.sum, 0) },
  };
}

/** What a metric consists of. */
export interface BreakdownRow {
  /** Of the dimension; empty when it is not known. */
  value: string;
  /** The project of a version. */
  project: string;
  amount: number;
}

/** The sums of a metric by a dimension, the largest first. */
export function rowsOf(slices: Slices, metric: Metric, by: Breakdown): BreakdownRow[] {
  const field = by === 'project' ? 'source_project' : fields[metric][by]!;
  const rows = new Map<string, BreakdownRow>();
  for (const entry of slices.flat()) {
    const amount = amountOf(entry, metric);
    if (amount === 0) continue;
    const value = String(entry[field] ?? '');
    const row = rows.get(value) ?? { value, project: entry.source_project ?? '', amount: 0 };
    rows.set(value, { ...row, amount: row.amount + amount });
  }
  return [...rows.values()].sort(
    (one, other) => other.amount - one.amount || one.value.localeCompare(other.value),
  );
}

/** The change from one sum to another as a part of the first; null when nothing was counted before. */
export const changeOf = (before: number, after: number): number | null =>
  before === 0 ? null : (after - before) / before;
