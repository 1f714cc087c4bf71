import { z } from 'zod';
import type { Slices } from '#db/discovery/analytics/read-metric.ts';
import type { WantedMetric } from '#db/discovery/analytics/request-shape.ts';
import { maxSlices } from '#db/discovery/analytics/rules.ts';
import { decimalOfMicros } from '#db/money/billing/revenue/rules.ts';
import { revenueSeries } from '#db/money/billing/revenue/series.ts';
import { Refused } from '#db/platform/errors.ts';
import { type Actor, hasScope } from '#db/platform/people/rules.ts';
import type { Db } from '#db/platform/postgres/sql.ts';

/** One amount of the metric `project_revenue`. */
export interface RevenueEntry {
  /** Null for sums over several projects. */
  source_project: string | null;
  metric_kind: 'project_revenue';
  user_id?: string;
  /** Dollars as a decimal. */
  revenue: string;
}

/** Fields of the metric. Source: api-v3 §3.13. */
export const revenueEntryShape = { user_id: z.string().optional(), revenue: z.string().optional() };

/** Refuses `scope_missing` unless the token may read payouts. Source: api-v3 §3.13. */
export function assertMayReadPayouts(actor: Actor): void {
  if (!hasScope(actor, 'PAYOUTS_READ')) throw new Refused('scope_missing', { scope: 'PAYOUTS_READ' });
}

/** The entries of the metric by slice; a day counts at its beginning in UTC. Refuses `analytics_too_large`. */
export async function readRevenue(
  db: Db,
  { bucket_by, filter_by }: WantedMetric,
  { project_ids, slices }: { project_ids: readonly string[]; slices: Slices },
): Promise<RevenueEntry[][]> {
  const { project_id: chosen, user_id: people } = filter_by;
  const texts = (values: readonly (string | boolean | null)[]) => values.map(String);
  const rows = await revenueSeries(db, {
    project_ids: chosen ? project_ids.filter((id) => chosen.includes(id)) : project_ids,
    user_ids: people ? texts(people) : null,
    ...{ from: slices.from, until: slices.until, slice_ms: slices.slice_ms },
    by: bucket_by as Array<'project_id' | 'user_id'>,
  });
  if (!rows) throw new Refused('analytics_too_large', { most: 50_000 });
  const lists = Array.from({ length: Math.min(slices.count, maxSlices) }, (): RevenueEntry[] => []);
  for (const { slice, micros, project_id = null, user_id } of rows)
    lists[slice]?.push({
      source_project: project_id,
      metric_kind: 'project_revenue',
      ...(user_id !== undefined && { user_id }),
      revenue: decimalOfMicros(micros),
    });
  return lists;
}
