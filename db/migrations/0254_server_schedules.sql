-- what a server does by itself at times of a cron expression.
create table server_schedules (
  id id primary key,
  server_id id not null references servers on delete cascade,
  -- who saved it: its runs have the rights of this person
  actor_id id references users on delete set null,
  name text not null,
  cron text not null,
  -- of the IANA database
  timezone text not null,
  enabled boolean not null,
  only_when_empty boolean not null,
  only_when_running boolean not null,
  on_failure text not null check (on_failure in ('stop', 'continue')),
  -- of db/hosting/servers/schedules/view.ts
  steps jsonb not null,
  -- null while it is off
  next_run timestamptz,
  -- {code, data}: why its newest run could not begin at all
  broken jsonb,
  revision integer not null default 1,
  created timestamptz not null
);
create unique index server_schedules_name on server_schedules (server_id, lower(name));
create index server_schedules_due on server_schedules (next_run) where next_run is not null;

-- runs of a schedule in steps, each stored before it begins: any control plane goes on with them
create table server_schedule_runs (
  id uuid primary key,
  schedule_id id not null references server_schedules on delete cascade,
  server_id id not null references servers on delete cascade,
  trigger text not null check (trigger in ('time', 'hand')),
  -- who asked for it by hand
  asked_by id references users on delete set null,
  -- first and last of those that this row stands for: only runs that did not take place are counted together
  due timestamptz not null,
  last_due timestamptz not null,
  count integer not null default 1,
  outcome text not null check (outcome in ('running', 'done', 'failed', 'skipped', 'missed')),
  -- {code, data}
  reason jsonb,
  -- as they were when it began
  steps jsonb not null,
  -- {state, code, data, began, ended} of each step, and what its end is known by
  results jsonb not null,
  -- when something has to be looked at even if nothing is heard
  wake timestamptz,
  began timestamptz not null,
  ended timestamptz
);
create index server_schedule_runs_newest on server_schedule_runs (schedule_id, began desc);
create index server_schedule_runs_open on server_schedule_runs (server_id) where ended is null;
-- one run at a time, and each due time once
create unique index server_schedule_runs_one on server_schedule_runs (schedule_id) where ended is null;
create unique index server_schedule_runs_due on server_schedule_runs (schedule_id, last_due) where trigger = 'time';

/* Every control plane hears `schedules:SERVER_ID` on the channel `hosting` when runs have to go on or are shown anew. */
create function server_schedules_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'servers' then
    of_server := new.id;
  else
    of_server := coalesce(new.server_id, old.server_id);
  end if;
  if tg_table_name in ('server_schedules', 'server_schedule_runs')
    or exists (select 1 from server_schedule_runs where server_id = of_server and ended is null) then
    perform pg_notify('hosting', 'schedules:' || of_server);
  end if;
  return null;
end $$;
create trigger schedules_told after insert or update or delete on server_schedules
  for each row execute function server_schedules_notify();
-- not for `wake` alone, which changes nothing that is shown
create trigger schedule_runs_told after insert or delete or update of results, outcome, count on server_schedule_runs
  for each row execute function server_schedules_notify();
create trigger scheduled_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_schedules_notify();
create trigger scheduled_changes_told after update of step on server_changes
  for each row when (new.step <> old.step) execute function server_schedules_notify();
create trigger scheduled_power_told after update of power, lifecycle, seen on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle
    or new.seen->>'epoch' is distinct from old.seen->>'epoch') execute function server_schedules_notify();
