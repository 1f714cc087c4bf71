-- one row per thing that happened, written in the transaction that did it
create table events (
  id bigint generated always as identity primary key,
  xact xid8 not null default pg_current_xact_id(),
  name text not null,
  actor_id id,
  user_id id,
  project_id id,
  version_id id,
  team_id id,
  organization_id id,
  data jsonb not null default '{}',
  created timestamptz not null default now()
);
create index events_order on events (xact, id);
create index events_project on events (project_id, id) where project_id is not null;

-- how far each reader has come; a reader sees only rows below the oldest open transaction
create table event_cursors (
  reader text primary key,
  xact xid8 not null,
  id bigint not null,
  moved timestamptz not null default now()
);

create function events_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('events', '');
  return null;
end $$;
create trigger events_notify after insert on events for each statement execute function events_notify();

-- small facts about this installation: seeded, public secret material never
create table installation (
  key text primary key,
  value jsonb not null
);
