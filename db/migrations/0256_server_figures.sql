-- what running game servers used in each minute; the plane with the agent writes all of a minute in one statement.
-- Old minutes go by emptying a whole partition: `slot` is the day since 1970 modulo 3
create table server_minutes (
  at timestamptz not null,
  -- of one core: 150 is one and a half; the mean, and the highest sample
  cpu real not null,
  cpu_most real not null,
  ram_mb real not null,
  disk_mb real not null,
  -- bytes a second
  received real not null,
  sent real not null,
  -- null where the server does not tell it
  tick_ms real,
  -- the highest count; null while it was not known
  players smallint,
  -- how many samples it is made of: a minute that two planes measured is the mean of both
  samples smallint not null,
  slot smallint not null,
  -- without a reference: one server that is deleted must not keep the minute of all others from being written
  server_id id not null,
  primary key (server_id, at, slot)
) partition by list (slot);
create table server_minutes_0 partition of server_minutes for values in (0);
create table server_minutes_1 partition of server_minutes for values in (1);
create table server_minutes_2 partition of server_minutes for values in (2);

-- what a server used in an hour, as six ten-minutes in one value (db/hosting/servers/figures/pack.ts)
create table server_hours (
  -- hours since 1970
  hour integer not null,
  server_id id not null references servers on delete cascade,
  ten_minutes bytea not null,
  primary key (server_id, hour)
);

-- how far minutes were rolled up
create table server_figures_rolled (
  only_one boolean primary key default true check (only_one),
  until timestamptz not null
);
