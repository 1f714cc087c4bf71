import { z } from 'zod';
import { projectsByKeys } from '#db/catalogue/projects/pages.ts';
import { allowedProjects, allowedTo } from '#db/discovery/analytics/allowed-projects.ts';
import { announcements } from '#db/discovery/analytics/announcements.ts';
import { readFacets } from '#db/discovery/analytics/facets.ts';
import { metricNames } from '#db/discovery/analytics/metrics.ts';
import { projectEvents } from '#db/discovery/analytics/project-events.ts';
import { type MetricEntry, readMetric, slicesOf } from '#db/discovery/analytics/read-metric.ts';
import { analyticsRequestShape, facetsRequestShape } from '#db/discovery/analytics/request-shape.ts';
import { announcementShape } from '#db/discovery/analytics/shape.ts';
import { usersByIdsOrNames } from '#db/platform/people/read.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { idShape } from '#db/platform/shape.ts';
import {
  assertMayReadPayouts,
  type RevenueEntry,
  readRevenue,
  revenueEntryShape,
} from '../../discovery/analytics/revenue-metric.server.ts';
import { analyticsSeriesRoutes, keptBy } from '../../discovery/analytics/series-routes.server.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { streamedFields } from '../streamed.ts';
import { projectRowV3, projectV3Shape } from './project-shape.ts';
import { userV3Of, userV3Shape } from './user-shape.ts';

const tag = 'analytics';

const entryShape = z
  .looseObject({
    source_project: idShape.nullable().meta({ description: 'Null unless `bucket_by` has `project_id`' }),
    metric_kind: z.enum([...metricNames, 'project_revenue']),
    views: z.int().optional(),
    downloads: z.int().optional(),
    seconds: z.int().optional(),
    ...revenueEntryShape,
  })
  .meta({ id: 'AnalyticsEntry' });

const facetValues = z.array(z.union([z.string(), z.boolean(), z.null()]));
const facetsShape = z.object({
  project_views: z.record(z.string(), facetValues),
  project_downloads: z.record(z.string(), facetValues),
  project_playtime: z.record(z.string(), facetValues),
});
const day_ms = 86_400_000;
/** Of more dependents an answer has only the ids. */
const max_dependents = 200;
/** Without a time, facets are those of so many days. */
const facets_days = 30;

const about = { project_id: idShape, timestamp: z.iso.datetime() };
const eventShape = z.union([
  z.object({
    ...about,
    kind: z.literal('version_uploaded'),
    version_id: idShape,
    version_name: z.string(),
    version_number: z.string(),
  }),
  z.object({
    ...about,
    kind: z.literal('status_changed'),
    status_from: z.string(),
    status_to: z.string(),
  }),
]);

/** Views, downloads, playtime and revenue of projects in slices of time, and announcements. Source: api-v3 §3.13. */
export function analyticsRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/analytics',
    summary: 'Views, downloads, playtime and revenue of projects, in slices of time',
    tag,
    needs: ['ANALYTICS'],
    body: analyticsRequestShape,
    answer: z.object({
      metrics: z.array(z.array(entryShape)),
      projects: z.record(z.string(), projectV3Shape),
      users: z.record(z.string(), userV3Shape),
      project_events: z.array(eventShape),
    }),
    handle: async ({ sql, services, body, actor, now }) => {
      const { settings } = services;
      const { time_range, return_metrics } = body;
      const slices = slicesOf(time_range, time_range.resolution, now);
      if (return_metrics.project_revenue) assertMayReadPayouts(actor);
      const may = await allowedTo(sql, body.project_ids, actor, ['VIEW_ANALYTICS', 'VIEW_PAYOUTS']);
      const project_ids = may.VIEW_ANALYTICS;
      const kept = keptBy(settings);
      const lists = Array.from({ length: slices.count }, (): Array<MetricEntry | RevenueEntry> => []);
      for (const name of metricNames) {
        const wanted = return_metrics[name];
        if (!wanted) continue;
        const found = await readMetric(sql, name, wanted, { project_ids, slices }, now, kept);
        for (const [slice, entries] of found.entries())
          for (const entry of entries) lists[slice]!.push(entry);
      }
      if (return_metrics.project_revenue) {
        const asked = { project_ids: may.VIEW_PAYOUTS, slices };
        const found = await readRevenue(sql, return_metrics.project_revenue, asked);
        for (const [slice, entries] of found.entries()) lists[slice]!.push(...entries);
      }
      const users = await usersByIdsOrNames(services, earnersOf(lists));
      const events = await projectEvents(sql, project_ids, slices);
      const ids = new Map([...project_ids, ...dependentsOf(lists)].map((id) => [id, id]));
      return await streamedFields({
        metrics: { shape: z.array(z.array(entryShape)), value: lists },
        users: {
          shape: z.record(z.string(), userV3Shape),
          value: Object.fromEntries(users.map((user) => [user.id, userV3Of(user)])),
        },
        project_events: { shape: z.array(eventShape), value: events },
        projects: {
          shape: projectV3Shape,
          entries: mapped(projectsByKeys(sql, ids, actor), ([id, row]) => [id, projectRowV3(settings, row)]),
        },
      });
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/analytics/facets',
    summary: 'The values by which views, downloads and playtime of projects can be filtered',
    tag,
    needs: ['ANALYTICS'],
    body: facetsRequestShape,
    answer: z.object({ facets: facetsShape }),
    handle: async ({ sql, body: { project_ids, time_range }, actor, now }) => {
      const start = new Date(now.getTime() - facets_days * day_ms);
      const { from, until } = slicesOf(time_range ?? { start, end: now }, { slices: 1 }, now);
      const ids = await allowedProjects(sql, project_ids, actor);
      return { facets: await readFacets(sql, ids, { from, until }) };
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/analytics-event',
    summary: 'Announcements that charts show, the latest first',
    tag,
    answer: z.array(announcementShape),
    handle: async ({ sql }) => await announcements(sql),
  });
  analyticsSeriesRoutes(api);
}

/** The projects that brought most downloads; answers hold those that the caller may see. */
function dependentsOf(lists: Array<Array<MetricEntry | RevenueEntry>>): string[] {
  const sums = new Map<string, number>();
  for (const entry of lists.flat())
    if ('dependent_project_id' in entry && entry.dependent_project_id) {
      const { dependent_project_id: id, downloads } = entry;
      sums.set(String(id), (sums.get(String(id)) ?? 0) + Number(downloads));
    }
  const sorted = [...sums].sort(([, one], [, other]) => other - one);
  return sorted.slice(0, max_dependents).map(([id]) => id);
}

/** Who earned something, at most as many as there are dependents. */
const earnersOf = (lists: Array<Array<MetricEntry | RevenueEntry>>): string[] =>
  [...new Set(lists.flat().flatMap(({ user_id }) => (user_id ? [String(user_id)] : [])))].slice(
    0,
    max_dependents,
  );
