import type { Fragment } from 'postgres';
import type { Db } from '../platform/postgres/sql.ts';
import type { Settings } from '../platform/runtime/env.ts';
import { withoutIndexes } from './without-indexes.ts';

/** Countries of the people in the demo, the larger ones more often. */
const countries = 'US US US US DE DE DE GB GB FR FR BR BR PL CA AU NL RU ES IT SE JP'.split(' ');
/** Through what they load files. */
const sources = 'website website website prism prism app app multimc atlauncher hosting other'.split(' ');
/** How long a version that was replaced is still loaded, in days. */
const tail_d = 40;
/** Days whose sums are divided among several hours; those before, which charts show by day, have one hour. */
const divided_d = 7;
/** Days of which charts tell countries and sources apart smoothly, and from how many a day on. */
const smooth_d = 91;
const divisible = 60;
/** Views of the last days that show ads, from which creators earn. */
export const earning_d = 120;

/**
 * Fills the sums of views, downloads and playtime of the last twelve whole months and this one, day by day up to the day of
 * `now`, and of the years before by month: the downloads that each version states, from its release until it was replaced and for some weeks after. So charts,
 * the line of a project's page, versions and totals tell the same, as nearly as whole numbers allow. Sums of hours go back
 * `hours_d` days, as far as charts read them. Deterministic but for dates.
 */
export const insertUsage = async (
  tx: Db,
  now: Date,
  settings: Pick<Settings, 'ANALYTICS_HOUR_DAYS'>,
): Promise<void> =>
  await withoutIndexes(tx, ['analytics_days', 'analytics_hours', 'analytics_totals'], () =>
    insertSums(tx, now, settings),
  );

async function insertSums(
  tx: Db,
  now: Date,
  { ANALYTICS_HOUR_DAYS: hours_d }: Pick<Settings, 'ANALYTICS_HOUR_DAYS'>,
): Promise<void> {
  await tx`set local work_mem = '64MB'`;
  await tx`select analytics_partitions('analytics_hours', ${now}::date - ${hours_d + 1}::int, ${now}::date + 2)`;
  const today = now.toISOString().slice(0, 10);
  // as far back as the statistics of the site go, so that no month of them is cut
  const since = tx`(date_trunc('month', ${today}::date::timestamp) - interval '12 months')::date`;
  // many of one day come from several countries, in shares that stay, so that no line of a chart jumps
  const partsOf = (days: Fragment) => tx`
    select whole.*, part.k, floor(total * part.until) - floor(total * part.above) as loads,
      (${countries}::text[])[1 + (case when split then place + part.k * 6 else chance end) % ${countries.length}] as country
    from (select *, total >= ${divisible}::int and day > ${today}::date - ${smooth_d}::int as split from (${days}) days) whole
    join (values (0, false, 0::float8, 1::float8), (0, true, 0, 0.4), (1, true, 0.4, 0.67), (2, true, 0.67, 0.86), (3, true, 0.86, 1))
      part (k, is_part, above, until) on part.is_part = split
    where total > 0`;
  // how often a version was loaded on each day, counted from its release: more at first and at weekends, few once it was
  // replaced. The years before have what is left; `loaded` is the sum of the weights of such days. Weights are float8,
  // because exact numbers take many times as long
  const loaded = (
    day: Fragment,
  ) => tx`(least(${day}, lasted) + 9.6::float8 * (1 - exp(-least(${day}, lasted) / 8::float8))
    + 3.6::float8 * (1 - exp(-greatest(0, least(${day}, ended) - lasted) / 12::float8)))`;
  await tx`
    create temporary table demo_loads on commit drop as
    with released as (
      select v.*, (date_published at time zone 'UTC')::date as first_day, (min(date_published) filter (
          where version_number !~ '-(alpha|beta)') over later at time zone 'UTC')::date as replaced
      from versions v window later as (
        partition by project_id order by date_published, id rows between 1 following and unbounded following)
    ), lasting as (
      select *, hashtext(id)::bigint * 1000 as seed, hashtext(project_id)::bigint * 1000 as project_seed,
        least(ended, ${today}::date - first_day + 1) as until, greatest(0, ${since} - first_day) as since
      from (select *, lasted + case when replaced is null then 0 else ${tail_d}::int end as ended from (
        select *, greatest(1, coalesce(replaced, ${today}::date + 1) - first_day) as lasted from released) one) two
    ), weighed as (
      select *, first_day + n as date, case when extract(dow from first_day + n) in (0, 6) then 1.35::float8 else 1 end
          * (0.8::float8 + abs(hashint8(project_seed + (first_day + n - '2000-01-01'::date)) % 100) / 250::float8)
          * case when n < lasted then 1 + 1.2::float8 * exp(-n / 8::float8) else 0.3::float8 * exp(-(n - lasted) / 12::float8) end as weight
      from lasting cross join generate_series(since, until - 1) n
    ), shared as (
      select *, downloads * (1 - ${loaded(tx`since`)} / ${loaded(tx`until`)}) * weight / sum(weight) over (partition by id) as amount
      from weighed
    )
    select id as version_id, project_id, first_day, date::timestamp at time zone 'UTC' as day, n < lasted as newest, amount,
      abs(hashint8(seed + n)::bigint)::int as chance, abs(hashtext(project_id)) % 1000 as place, game_versions,
      case when loaders = '{mrpack}' then mrpack_loaders else loaders end as loaders
    from shared`;
  await tx`
    insert into analytics_days (at, amount, kind, project_id, version_id, country, loader, game_version, source, domain, site_path, monetized)
    select day, loads, 'download', project_id, version_id, country,
      coalesce(loaders[1 + (chance / 7 + k) % greatest(1, cardinality(loaders))], ''),
      coalesce(game_versions[1 + (chance / 11 + k) % greatest(1, cardinality(game_versions))], ''),
      (${sources}::text[])[1 + (case when split then place + k * 4 else chance / 13 end) % ${sources.length}], '', '', false
    from (${partsOf(tx`select *, floor(amount + chance % 997 / 997::float8) as total from demo_loads`)}) loads
    union all
    select day, loads, 'view', project_id, '', country, '', '', '', 'localhost',
      case when k = 1 or (not split and chance % 5 = 0) then '/project/versions' else '/project' end,
      day > ${today}::date - ${earning_d}::int
    from (${partsOf(tx`
      select project_id, day, ceil(sum(amount) * 3) as total, min(chance) as chance, min(place) as place
      from demo_loads group by project_id, day`)}) views
    union all
    select day, ceil(amount * 2400), 'playtime', project_id, version_id, (${countries}::text[])[1 + chance % ${countries.length}],
      loaders[1], game_versions[1], '', '', '', false
    from demo_loads u where newest and amount > 0
      and exists (select from projects p where p.id = u.project_id and p.project_types && '{mod,modpack}')
    union all
    -- the years before, a month at a time
    select m, round((v.downloads - coalesce(y.amount, 0)) / count(*) over (partition by v.id)), 'download', v.project_id, v.id, 'XX', '', '', '', '', '', false
    from versions v left join (select version_id, sum(amount) as amount from demo_loads group by 1) y on y.version_id = v.id
    cross join generate_series(date_trunc('month', v.date_published, 'UTC'), least(${since} - 1,
      date_trunc('month', v.date_published, 'UTC') + interval '6 months'), interval '1 month') m
    where v.downloads - coalesce(y.amount, 0) > 20`;
  await tx`
    insert into analytics_hours (at, amount, kind, project_id, version_id, country, loader, game_version, source, domain, site_path, monetized)
    select d.at + interval '1 hour' * ((abs(hashtext(d.project_id || d.at || d.kind || d.country)) + q * 7) % 24),
      d.amount / 4 + case when q = 0 then d.amount % 4 else 0 end,
      d.kind, d.project_id, d.version_id, d.country, d.loader, d.game_version, d.source, d.domain, d.site_path, d.monetized
    from analytics_days d cross join generate_series(0, 3) q
    where d.at >= date_trunc('day', ${now}::timestamptz, 'UTC') - interval '1 day' * ${divided_d}
      and (d.amount >= 4 or q = 0)
    union all
    -- at noon, so that a day is the same one nearly everywhere
    select at + interval '12 hours', amount, kind, project_id, version_id, country, loader, game_version, source, domain, site_path, monetized
    from analytics_days
    where at < date_trunc('day', ${now}::timestamptz, 'UTC') - interval '1 day' * ${divided_d}
      and at >= date_trunc('day', ${now}::timestamptz, 'UTC') - interval '1 day' * ${hours_d}`;
  await tx`
    insert into analytics_totals (project_id, kind, day, amount)
    select project_id, kind, (at at time zone 'UTC')::date, sum(amount) from analytics_days group by 1, 2, 3`;
}
