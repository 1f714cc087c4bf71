import { z } from 'zod';
import { allowedProjects, allowedTo } from '#db/discovery/analytics/allowed-projects.ts';
import type { MetricName } from '#db/discovery/analytics/metrics.ts';
import { metrics } from '#db/discovery/analytics/metrics.ts';
import type { Kept } from '#db/discovery/analytics/read.ts';
import { readMetric, type Slices, slicesOf } from '#db/discovery/analytics/read-metric.ts';
import { projectIds } from '#db/discovery/analytics/request-shape.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { authenticatedRoute, jsonText } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { readRevenue } from './revenue-metric.server.ts';

const tag = 'analytics';
const day_ms = 86_400_000;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const asked = z.object({
  project_ids: jsonText(projectIds).optional(),
  start_date: instant.optional(),
  end_date: instant.optional(),
  resolution_minutes: z.coerce.number().pipe(z.int().min(1)).default(1440),
});

/** Of each project the sums by Unix seconds or country. */
const sumsShape = z.record(z.string(), z.record(z.string(), z.number()));

/** How long records and hours are kept. */
export const keptBy = (settings: Pick<Settings, 'ANALYTICS_RECORD_DAYS' | 'ANALYTICS_HOUR_DAYS'>): Kept => ({
  records_d: settings.ANALYTICS_RECORD_DAYS,
  hours_d: settings.ANALYTICS_HOUR_DAYS,
});

const series: Record<string, [MetricName, string]> = {
  views: ['project_views', 'Views of projects by the beginning of each slice, in Unix seconds'],
  downloads: ['project_downloads', 'Downloads of projects by the beginning of each slice, in Unix seconds'],
  playtime: [
    'project_playtime',
    'Seconds that projects were played, by the beginning of each slice in Unix seconds',
  ],
};
const countries: Record<string, [MetricName, string]> = {
  views: ['project_views', 'Views of projects by country; small numbers count as XX'],
  downloads: ['project_downloads', 'Downloads of projects by country; small numbers count as XX'],
};

/** One metric of projects by time or by country. Source: api-v3 §3.13. */
export function analyticsSeriesRoutes(api: Api): void {
  for (const [path, [name, summary]] of Object.entries(series)) {
    authenticatedRoute(api, {
      method: 'get',
      path: `/analytics/${path}`,
      ...{ summary, tag, needs: ['ANALYTICS'] },
      query: asked,
      answer: sumsShape,
      handle: async ({ sql, services: { settings }, query, actor, now }) => {
        const { begin, slices, slice_ms } = slicesFrom(query, now);
        const project_ids = await allowedProjects(sql, query.project_ids ?? [], actor);
        const wanted = { bucket_by: ['project_id'], filter_by: {} };
        const lists = await readMetric(sql, name, wanted, { project_ids, slices }, now, keptBy(settings));
        const sums: Sums = Object.fromEntries(project_ids.map((id) => [id, {}]));
        for (const [slice, entries] of lists.entries())
          for (const { source_project, [metrics[name].value]: sum } of entries)
            sums[source_project as string]![(begin.getTime() + slice * slice_ms) / 1000] = Number(sum);
        return sums;
      },
    });
  }

  for (const [path, [name, summary]] of Object.entries(countries)) {
    authenticatedRoute(api, {
      method: 'get',
      path: `/analytics/countries/${path}`,
      ...{ summary, tag, needs: ['ANALYTICS'] },
      query: asked.omit({ resolution_minutes: true }),
      answer: sumsShape,
      handle: async ({ sql, services: { settings }, query, actor, now }) => {
        const slices: Slices = slicesOf(timeOf(query, now), { slices: 1 }, now);
        const project_ids = await allowedProjects(sql, query.project_ids ?? [], actor);
        const wanted = { bucket_by: ['project_id', 'country'], filter_by: {} };
        const lists = await readMetric(sql, name, wanted, { project_ids, slices }, now, keptBy(settings));
        const sums: Sums = Object.fromEntries(project_ids.map((id) => [id, {}]));
        for (const { source_project, country, [metrics[name].value]: sum } of lists.flat())
          sums[source_project as string]![String(country)] = Number(sum);
        return sums;
      },
    });
  }

  authenticatedRoute(api, {
    method: 'get',
    path: '/analytics/revenue',
    summary: 'Revenue of projects in dollars, by the beginning of each slice in Unix seconds',
    tag,
    needs: ['ANALYTICS', 'PAYOUTS_READ'],
    query: asked,
    answer: sumsShape,
    handle: async ({ sql, query, actor, now }) => {
      const { begin, slices, slice_ms } = slicesFrom(query, now);
      const may = await allowedTo(sql, query.project_ids ?? [], actor, ['VIEW_ANALYTICS', 'VIEW_PAYOUTS']);
      const wanted = { bucket_by: ['project_id'], filter_by: {} };
      const lists = await readRevenue(sql, wanted, { project_ids: may.VIEW_PAYOUTS, slices });
      const sums: Sums = Object.fromEntries(may.VIEW_ANALYTICS.map((id) => [id, {}]));
      for (const [slice, entries] of lists.entries())
        for (const { source_project, revenue } of entries) {
          sums[source_project!] = {
            ...sums[source_project!],
            [(begin.getTime() + slice * slice_ms) / 1000]: Number(revenue),
          };
        }
      return sums;
    },
  });
}

type Sums = Record<string, Record<string, number>>;

/** The last two weeks, unless a query says otherwise. */
function timeOf(
  { start_date, end_date }: { start_date?: Date | undefined; end_date?: Date | undefined },
  now: Date,
): { start: Date; end: Date } {
  const end = end_date ?? now;
  return { start: start_date ?? new Date(end.getTime() - 14 * day_ms), end };
}

/** Slices begin at whole minutes, hours and days in UTC, so that a later request gives the same ones. */
function slicesFrom(
  query: { start_date?: Date | undefined; end_date?: Date | undefined; resolution_minutes: number },
  now: Date,
): { begin: Date; slices: Slices; slice_ms: number } {
  const slice_ms = query.resolution_minutes * 60_000;
  const { start, end } = timeOf(query, now);
  const begin = new Date(Math.floor(start.getTime() / slice_ms) * slice_ms);
  return {
    begin,
    slice_ms,
    slices: slicesOf({ start: begin, end }, { minutes: query.resolution_minutes }, now),
  };
}
