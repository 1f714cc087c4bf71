import type { Db } from '../sql.ts';

/** Countries of the people in the demo, the larger ones more often. */
const countries = 'US US US US DE DE DE GB GB FR FR BR BR PL CA AU NL RU ES IT SE JP'.split(' ');
/** Through what they load files. */
const sources = 'website website website prism prism app app multimc atlauncher hosting other'.split(' ');
/** Parts of the downloads of a day: those of the newest version, and of the one before it. */
const parts = [0.65, 0.35];

/**
 * Fills the sums of views, downloads and playtime of a year up to the hour of `now`, day by day, and of the years before by
 * month, so that charts of the demo show a history that adds up to the downloads that the catalogue states, as nearly as
 * whole numbers allow. Deterministic but for dates. Three statements.
 */
export async function insertUsage(tx: Db, now: Date): Promise<void> {
  await tx`set local work_mem = '64MB'`;
  await tx`select analytics_partitions('analytics_hours', ${now}::date - 8, ${now}::date + 2)`;
  // how much of its downloads a project had on each day: more when it is grown, at weekends, and after a release
  await tx`
    create temporary table demo_usage on commit drop as
    with numbered as (
      select v.project_id, v.id, v.game_versions, date_trunc('day', v.date_published, 'UTC') as published,
        case when v.loaders = '{mrpack}' then v.mrpack_loaders else v.loaders end as loaders,
        row_number() over w as place, lead(v.date_published) over w as replaced
      from versions v window w as (partition by v.project_id order by v.date_published, v.id)
    ), days as (
      select d as day, row_number() over (order by d) as place
      from generate_series(date_trunc('day', ${now}::timestamptz, 'UTC') - interval '364 days',
        date_trunc('day', ${now}::timestamptz, 'UTC'), interval '1 day') d
    ), weighed as (
      select p.id, p.downloads, p.published, p.project_types, d.day, n.place as newest,
        (0.7 + d.place / 900.0) * case when extract(dow from d.day) in (0, 6) then 1.35 else 1 end
          * (0.8 + abs(hashtext(p.id || d.day)) % 100 / 250.0)
          * (1 + 1.2 * exp(-extract(epoch from d.day - n.published) / 86400 / 8)) as weight
      from projects p join numbered n on n.project_id = p.id
      join days d on d.day >= n.published and (n.replaced is null or d.day < date_trunc('day', n.replaced, 'UTC'))
    ), shared as (
      select *, downloads * least(1, 365 / greatest(1, extract(epoch from ${now}::timestamptz - published) / 86400)) ^ 0.7
        * weight / sum(weight) over (partition by id) as amount
      from weighed
    )
    select s.id as project_id, s.day, s.newest, s.amount, s.project_types, part.number, part.share,
      n.id as version_id, n.game_versions, n.loaders,
      abs(hashtext(s.id || s.day || part.number)) as chance
    from shared s cross join unnest(${parts}::float[]) with ordinality as part (share, number)
    join numbered n on n.project_id = s.id and n.place = greatest(1, s.newest - part.number + 1)`;
  await tx`
    insert into analytics_days (at, amount, kind, project_id, version_id, country, loader, game_version, source, domain, site_path)
    select day, round(amount * share), 'download', project_id, version_id,
      (${countries}::text[])[1 + chance % ${countries.length}],
      coalesce(loaders[1 + chance / 7 % greatest(1, cardinality(loaders))], ''),
      coalesce(game_versions[1 + chance / 11 % greatest(1, cardinality(game_versions))], ''),
      (${sources}::text[])[1 + chance / 13 % ${sources.length}], '', ''
    from demo_usage where round(amount * share) > 0
    union all
    select day, ceil(amount * share * 3), 'view', project_id, '', (${countries}::text[])[1 + chance % ${countries.length}], '', '', '',
      'localhost', case when chance % 5 = 0 then '/project/versions' else '/project' end
    from demo_usage where number = 1 and amount > 0
    union all
    select day, ceil(amount * 2400), 'playtime', project_id, version_id, (${countries}::text[])[1 + chance % ${countries.length}],
      loaders[1], game_versions[1], '', '', ''
    from demo_usage where number = 1 and amount > 0 and project_types && '{mod,modpack}'
    union all
    -- the years before, a month at a time
    select m, round((p.downloads - y.amount) / count(*) over (partition by p.id)), 'download', p.id, '', 'XX', '', '', '', '', ''
    from projects p join (select project_id, sum(amount * share) as amount from demo_usage group by 1) y on y.project_id = p.id
    cross join generate_series(date_trunc('month', p.published, 'UTC'),
      date_trunc('day', ${now}::timestamptz, 'UTC') - interval '366 days', interval '1 month') m
    where p.downloads - y.amount > 100`;
  await tx`
    insert into analytics_hours (at, amount, kind, project_id, version_id, country, loader, game_version, source, domain, site_path)
    select d.at + interval '1 hour' * ((abs(hashtext(d.project_id || d.at || d.kind || d.country)) + q * 7) % 24),
      d.amount / 4 + case when q = 0 then d.amount % 4 else 0 end,
      d.kind, d.project_id, d.version_id, d.country, d.loader, d.game_version, d.source, d.domain, d.site_path
    from analytics_days d cross join generate_series(0, 3) q
    where d.at >= date_trunc('day', ${now}::timestamptz, 'UTC') - interval '7 days'
      and (d.amount >= 4 or q = 0)`;
  await tx`
    insert into analytics_totals (project_id, kind, day, amount)
    select project_id, kind, (at at time zone 'UTC')::date, sum(amount) from analytics_days group by 1, 2, 3`;
}
