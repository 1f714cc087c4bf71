import { z } from 'zod';
import { boundedText, idShape } from '../../platform/shape.ts';
import { type MetricName, metrics } from './metrics.ts';

/** Projects of one request. */
export const maxProjects = 1000;
/** Values of one filter. */
const max_values = 500;

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
export const projectIds = z.array(idShape).max(maxProjects);

const times = { start: instant, end: instant };

/** A time, and into how many or how long slices it is divided. Source: api-v3 §3.13. */
const timeRange = z
  .strictObject({
    ...times,
    resolution: z
      .strictObject({ slices: z.int().min(1).optional(), minutes: z.int().min(1).optional() })
      .refine(
        ({ slices, minutes }) => (slices === undefined) !== (minutes === undefined),
        'must have either slices or minutes',
      ),
  })
  .meta({ id: 'AnalyticsTimeRange' });

const values = z.array(z.union([boundedText(0, 253), z.boolean(), z.null()])).max(max_values);

function wanted(fields: readonly string[]) {
  const field = z.enum(fields as [string, ...string[]]);
  return z
    .strictObject({
      bucket_by: z.array(field).max(fields.length).default([]),
      filter_by: z.partialRecord(field, values).default({}),
    })
    .optional();
}

/** The body of POST /v3/analytics. Source: api-v3 §3.13. */
export const analyticsRequestShape = z
  .strictObject({
    time_range: timeRange,
    return_metrics: z.strictObject({
      project_views: wanted(metrics.project_views.fields),
      project_downloads: wanted(metrics.project_downloads.fields),
      project_playtime: wanted(metrics.project_playtime.fields),
      project_revenue: wanted(['project_id', 'user_id']),
    }),
    project_ids: projectIds.default([]),
  })
  .meta({ id: 'AnalyticsRequest' });
export type WantedMetric = NonNullable<z.output<typeof analyticsRequestShape>['return_metrics'][MetricName]>;

/** The body of POST /v3/analytics/facets. */
export const facetsRequestShape = z
  .strictObject({ time_range: z.strictObject(times).optional(), project_ids: projectIds.default([]) })
  .meta({ id: 'AnalyticsFacetsRequest' });
