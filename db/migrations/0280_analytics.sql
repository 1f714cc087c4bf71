-- what was counted, one row for each view, download and report of playtime, for a few weeks. No addresses and no people.
-- Empty texts say that something is not known. A partition holds one day in UTC; `analytics_partitions` makes them
create table analytics_records (
  at timestamptz not null,
  -- 1 for views and downloads, seconds of playtime
  amount int not null check (amount > 0),
  kind text collate "C" not null check (kind in ('view', 'download', 'playtime')),
  -- empty for views of pages that belong to no project
  project_id text collate "C" not null,
  version_id text collate "C" not null default '',
  -- ISO 3166; XX is not known
  country text collate "C" not null default 'XX',
  loader text collate "C" not null default '',
  game_version text collate "C" not null default '',
  -- through what a file was downloaded: website, app, hosting, maven, a launcher, other
  source text collate "C" not null default '',
  -- why: standalone, dependency, modpack, update
  reason text collate "C" not null default '',
  -- the project that needs it
  dependent_id text collate "C" not null default '',
  -- the site whose page was viewed, or whose link was followed, and the path of the page
  domain text collate "C" not null default '',
  site_path text collate "C" not null default '',
  -- counts for the income of creators
  monetized boolean not null default false
) partition by range (at);
create index analytics_records_at on analytics_records (at);
create index analytics_records_project on analytics_records (project_id, kind, at);

-- sums of records that are alike in everything but the time within an hour
create table analytics_hours (like analytics_records including constraints including defaults) partition by range (at);
alter table analytics_hours alter column amount type bigint;
create index analytics_hours_at on analytics_hours (at);
create index analytics_hours_project on analytics_hours (project_id, kind, at);

-- the same within a day in UTC, for years
create table analytics_days (like analytics_hours including constraints including defaults including indexes);

-- sums of days by project alone, for charts of years, sparklines and trends
create table analytics_totals (
  project_id text collate "C" not null,
  kind text collate "C" not null,
  day date not null,
  amount bigint not null check (amount > 0),
  primary key (project_id, kind, day)
);
create index analytics_totals_day on analytics_totals (day, kind);

-- hours with records that are not in the sums yet; `changes` grows with each batch, so that none is forgotten
create table analytics_changed (
  hour timestamptz primary key,
  changes int not null default 1
);

-- days whose hours were summed up anew, and whose own sums follow
create table analytics_changed_days (
  day date primary key
);

-- keys of the hashes by which a network is known again for six hours; they are deleted, and then nobody can
create table analytics_keys (
  day date primary key,
  key text not null
);

-- makes the partitions of the days from one to another, where they lack
create function analytics_partitions(parent text, first date, last date) returns void language plpgsql as $$
declare
  day date := first;
  name text;
begin
  while day <= last loop
    name := parent || '_' || to_char(day, 'YYYYMMDD');
    if to_regclass(name) is null then
      perform pg_advisory_xact_lock(hashtext('analytics.partitions'));
      if to_regclass(name) is null then
        -- attaching locks less than creating in place: reads and writes go on
        execute format('create table %I (like %I including defaults including constraints including indexes)', name, parent);
        execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, name,
          day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
      end if;
    end if;
    day := day + 1;
  end loop;
end $$;

-- what was kept until now; the previous code may still write usage_records, which a later migration removes
do $$
declare
  first date;
begin
  select greatest(min(at), now() - interval '40 days')::date into first from usage_records;
  perform analytics_partitions('analytics_records', coalesce(first, current_date) - 1, current_date + 2);
  perform analytics_partitions('analytics_hours', coalesce(first, current_date) - 1, current_date + 2);
end $$;
insert into analytics_records
  (at, amount, kind, project_id, version_id, loader, game_version, reason, dependent_id, site_path, monetized)
select u.at,
  case u.kind when 'playtime' then greatest(1, (u.data ->> 'seconds')::int) else 1 end,
  u.kind, coalesce(u.project_id, ''), coalesce(u.version_id, ''), coalesce(u.data ->> 'loader', ''),
  coalesce(u.data ->> 'game_version', ''), coalesce(u.data ->> 'reason', ''),
  coalesce((select p.id from projects p where p.id = u.data ->> 'dependent_on'),
    (select v.project_id from versions v where v.id = u.data ->> 'dependent_on'), ''),
  coalesce(u.data ->> 'path', ''), coalesce((u.data ->> 'monetized')::boolean, false)
from usage_records u
where u.at >= now() - interval '40 days' and (u.project_id is not null or u.kind = 'view');
insert into analytics_changed (hour) select distinct date_trunc('hour', at, 'UTC') from analytics_records;
delete from usage_records;

-- announcements that charts show
create table analytics_events (
  id id primary key,
  title text not null,
  announcement_url text,
  for_metric_kind text[] not null,
  starts timestamptz not null,
  ends timestamptz
);
