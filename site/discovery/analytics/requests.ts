import { type ApiResult, apiFetch } from '../../platform/browser/api-client.ts';
import type { AnalyticsAnswer, Announcement } from './answer.ts';
import { type Breakdown, type Choice, fields, type Metric, metrics } from './choice.ts';
import { type Period, type RangePeriod, slicesOf } from './ranges.ts';
import {
  type BreakdownRow,
  rowsOf,
  type Series,
  type Slices,
  seriesOf,
  withoutEmptyStart,
} from './series.ts';

/** Rows of a breakdown that are shown by name. */
export const most_rows = 50;

type AllSeries = Record<Metric, Series>;
/** What the cards and the chart show. */
export interface Figures {
  period: RangePeriod;
  series: AllSeries;
  /** The period before; null when it is not shown. */
  before: AllSeries | null;
  events: AnalyticsAnswer['project_events'];
  announcements: readonly Announcement[];
}

const iso = (ms: number) => new Date(ms).toISOString();

function ask(
  { start, end, minutes }: Period & { minutes: number },
  return_metrics: Record<string, object>,
  project_ids: readonly string[],
  signal: AbortSignal,
): Promise<ApiResult<AnalyticsAnswer>> {
  const time_range = { start: iso(start), end: iso(end), resolution: { minutes } };
  return apiFetch('POST /v3/analytics', { json: { time_range, return_metrics, project_ids }, signal });
}

const byProject = Object.fromEntries(
  metrics.map((metric) => [`project_${metric}`, { bucket_by: ['project_id'] }]),
);
const allOf = (slices: Slices, period: Period & { minutes: number }): AllSeries => ({
  downloads: seriesOf(slices, 'downloads', period),
  views: seriesOf(slices, 'views', period),
  playtime: seriesOf(slices, 'playtime', period),
});

/** All metrics of these projects by slice, and of the period before when it is compared. */
export async function loadFigures(
  { compare, range }: Pick<Choice, 'compare' | 'range'>,
  period: RangePeriod,
  project_ids: readonly string[],
  signal: AbortSignal,
): Promise<ApiResult<Figures>> {
  const { before, minutes } = period;
  const [now, earlier, announced] = await Promise.all([
    ask(period, byProject, project_ids, signal),
    compare && before ? ask({ ...before, minutes }, byProject, project_ids, signal) : null,
    announcementsOnce(),
  ]);
  if (!now.ok) return now;
  if (earlier && !earlier.ok) return earlier;
  const shown =
    range === 'all' ? withoutEmptyStart(now.data.metrics, period) : { slices: now.data.metrics, period };
  return {
    ok: true,
    data: {
      period: shown.period,
      series: allOf(shown.slices, shown.period),
      before: earlier && before ? allOf(earlier.data.metrics, { ...before, minutes }) : null,
      events: now.data.project_events,
      announcements: announced,
    },
  };
}

let announcements: Promise<readonly Announcement[]> | null = null;
/** Charts are complete without them. */
function announcementsOnce(): Promise<readonly Announcement[]> {
  announcements ??= apiFetch('GET /v3/analytics-event').then((result) => {
    if (!result.ok) announcements = null;
    return result.ok ? result.data : [];
  });
  return announcements;
}

/** The sums of one metric by a dimension. */
export async function loadRows(
  metric: Metric,
  by: Breakdown,
  period: RangePeriod,
  project_ids: readonly string[],
  signal: AbortSignal,
): Promise<ApiResult<BreakdownRow[]>> {
  const bucket_by = by === 'version' ? ['project_id', 'version_id'] : [fields[metric][by]!];
  // one slice for all; as long as those of the chart, so that both sum up the same times
  const minutes = slicesOf(period) * period.minutes;
  const wanted = { [`project_${metric}`]: { bucket_by } };
  const result = await ask({ ...period, minutes }, wanted, project_ids, signal);
  return result.ok ? { ok: true, data: rowsOf(result.data.metrics, metric, by) } : result;
}

/** The numbers of versions by their ids, as far as they are known. */
export async function loadVersionNumbers(ids: readonly string[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const query = { ids: JSON.stringify(ids), include_changelog: 'false' };
  const result = await apiFetch('GET /v2/versions', { query });
  if (!result.ok) return {};
  return Object.fromEntries(result.data.map(({ id, version_number }) => [id, version_number]));
}

/** How long a slice is, in its largest whole unit. */
export function stepOf(minutes: number): { unit: 'minutes' | 'hours' | 'days'; count: number } {
  if (minutes % (24 * 60) === 0) return { unit: 'days', count: minutes / (24 * 60) };
  return minutes % 60 === 0 ? { unit: 'hours', count: minutes / 60 } : { unit: 'minutes', count: minutes };
}
