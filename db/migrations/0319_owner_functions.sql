-- The roles of the site and the control planes own nothing and write only what is theirs (db/platform/postgres/roles). What a trigger does to
-- other tables it does with the rights of the owner, and so does the making and dropping of partitions.
alter function projects_threads() security definer set search_path = public, pg_temp;
alter function backup_left() security definer set search_path = public, pg_temp;
alter function server_game_port() security definer set search_path = public, pg_temp;
alter function keep_name() security definer set search_path = public, pg_temp;
alter function organization_is_public() security definer set search_path = public, pg_temp;
alter function backups_notify() security definer set search_path = public, pg_temp;
alter function server_changes_notify() security definer set search_path = public, pg_temp;
alter function server_schedules_notify() security definer set search_path = public, pg_temp;
alter function server_moves_notify() security definer set search_path = public, pg_temp;

-- makes the partitions of the days from one to another, where they lack
create or replace function analytics_partitions(parent text, first date, last date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  day date := first;
  name text;
begin
  if parent not in ('analytics_records', 'analytics_hours') then
    raise exception '% has no partitions', parent using errcode = 'invalid_parameter_value';
  end if;
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
revoke execute on function analytics_partitions(text, date, date) from public;

create function drop_analytics_partition(name text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (
    select from pg_inherits where inhrelid = to_regclass(quote_ident(name))
      and inhparent in ('analytics_records'::regclass, 'analytics_hours'::regclass)
  ) then
    raise exception '% is no partition', name using errcode = 'invalid_parameter_value';
  end if;
  execute format('drop table %I', name);
end $$;
revoke execute on function drop_analytics_partition(text) from public;
