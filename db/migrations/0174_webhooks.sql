-- addresses that are told what happens to a project, or to the projects and members of an organization
create table webhooks (
  id id primary key,
  project_id id references projects on delete cascade,
  organization_id id references organizations on delete cascade,
  name text not null,
  format text not null check (format in ('standard', 'discord')),
  -- sealed: whoever knows the address of a chat may write there
  address text not null,
  host text not null,
  -- sealed; after a rotation both sign until `old_secret_until`
  secret text not null,
  old_secret text,
  old_secret_until timestamptz,
  events text[] not null,
  enabled boolean not null default true,
  -- whether it was turned off because nothing arrived for days
  gave_up boolean not null default false,
  created_by id references users on delete set null,
  created timestamptz not null,
  check ((project_id is null) <> (organization_id is null))
);
create index webhooks_project on webhooks (project_id) where project_id is not null;
create index webhooks_organization on webhooks (organization_id) where organization_id is not null;
create index webhooks_created_by on webhooks (created_by) where created_by is not null;

-- what is sent to a webhook, and what became of it
create table webhook_deliveries (
  -- follows from event and webhook, so that an event is queued once
  id id primary key,
  webhook_id id not null references webhooks on delete cascade,
  type text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  -- the next attempt, not before
  due timestamptz not null,
  created timestamptz not null,
  -- the last attempt: when, its status, the beginning of its answer, why there was none, how long it took
  tried timestamptz,
  status integer,
  answer text,
  problem text,
  took_ms integer
);
create index webhook_deliveries_due on webhook_deliveries (due) where state = 'waiting';
create index webhook_deliveries_webhook on webhook_deliveries (webhook_id, created desc);
