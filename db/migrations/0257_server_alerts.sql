-- webhooks of game servers beside those of projects and organizations: one table, one sender
alter table webhooks add column server_id id references servers on delete cascade;
alter table webhooks drop constraint webhooks_check;
alter table webhooks add constraint webhooks_owner
  check (num_nonnulls(project_id, organization_id, server_id) = 1);
create index webhooks_server on webhooks (server_id) where server_id is not null;

-- what a renter chose about alerts; without a row everything is as in db/hosting/server-alerts/rules.ts
create table server_alert_settings (
  server_id id primary key references servers on delete cascade,
  -- kind -> {enabled, over, minutes}, as far as it was chosen
  rules jsonb not null default '{}',
  -- mails wait between these minutes of the day
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_until smallint check (quiet_until between 0 and 1439),
  quiet_zone text,
  check (num_nulls(quiet_from, quiet_until, quiet_zone) in (0, 3))
);

create table server_alerts (
  id id primary key,
  server_id id not null references servers on delete cascade,
  kind text not null,
  -- what was measured, and the bound it crossed; null where nothing is measured
  value real,
  bound real,
  began timestamptz not null,
  ended timestamptz,
  -- whether people were told: not when it comes and goes all day
  told boolean not null
);
-- one for each rule until it ends, however many planes look
create unique index server_alerts_open on server_alerts (server_id, kind) where ended is null;
create index server_alerts_server on server_alerts (server_id, began desc);

-- mails of quiet hours wait until their end
alter table notifications add column mail_after timestamptz;

-- who ended all mails of notifications gets none of a type that came later either
update notification_choices
set types = types || '{"server_alert": {"site": true, "mail": "off"}}'
where types <> '{}'
  and not exists (select from jsonb_each(types) t where t.value ->> 'mail' is distinct from 'off');
