import type { Db } from '../../platform/postgres/sql.ts';
import { columnOf, type Metric, type MetricName, metricNames, metrics, shownValue } from './metrics.ts';
import { day } from './records.ts';
import { unknownCountry } from './rules.ts';

/** Values of one field: of many, those with the largest sums. */
const max_values = 500;

type Values = Array<string | boolean | null>;

/**
 * The values that fields of each metric have in a time, those with the largest sums first, at most 500 each; a day in UTC
 * counts whole. Countries with small sums are left out. One statement. Source: api-v3 §3.13.
 */
export async function readFacets(
  db: Db,
  project_ids: readonly string[],
  { from, until }: { from: Date; until: Date },
): Promise<Record<MetricName, Record<string, Values>>> {
  const rows = await db<Array<{ kind: string; field: string; value: string; amount: number }>>`
    with counted as (
      select kind, field, value, sum(amount)::bigint as amount
      from analytics_days, lateral (values ('version_id', version_id), ('country', country), ('loader', loader),
        ('game_version', game_version), ('source', source), ('reason', reason), ('domain', domain),
        ('site_path', site_path), ('monetized', monetized::text)) as told (field, value)
      where project_id = any(${[...project_ids]}::text[])
        and at >= ${`${day(from.getTime())}T00:00:00Z`} and at < ${until}
      group by 1, 2, 3
    ), placed as (
      select *, row_number() over (partition by kind, field order by amount desc, value) as place from counted
    )
    select kind, field, value, amount from placed where place <= ${max_values} order by place`;
  const facetsOf = (name: MetricName) => {
    const { kind, facets, small }: Metric = metrics[name];
    const valuesOf = (field: string): Values => {
      const found = rows.filter((row) => row.kind === kind && row.field === columnOf(field));
      const large = found.filter(
        ({ value, amount }) => field !== 'country' || amount >= small || value === unknownCountry,
      );
      return [...new Set(large.map(({ value }) => shownValue(field, value)))];
    };
    return Object.fromEntries(facets.map((field) => [field, valuesOf(field)]));
  };
  return Object.fromEntries(metricNames.map((name) => [name, facetsOf(name)])) as Record<
    MetricName,
    Record<string, Values>
  >;
}
