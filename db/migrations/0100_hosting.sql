-- machines that carry game servers: what the operator said of them and what their agent told last
create table nodes (
  id id primary key,
  name text not null unique check (name ~ '^[a-z0-9][a-z0-9-]{0,31}$'),
  region text not null,
  public_address text not null,
  bind_address text not null default '0.0.0.0',
  -- SHA-256 of what its agent shows; the previous one counts until a moment, so that a rotation loses nobody
  secret_hash text,
  previous_secret_hash text,
  previous_secret_until timestamptz,
  join_hash text unique,
  join_expires timestamptz,
  -- who speaks for the node: a newer socket gets a higher lease, everything under an older one is refused
  lease bigint not null default 0,
  lease_holder text,
  boot_id text,
  status text not null default 'new' check (status in ('new', 'online', 'degraded', 'offline')),
  draining boolean not null default false,
  -- what may be given away in all when the operator said so; else what the agent tells of its machine (facts)
  cpu_millis integer check (cpu_millis > 0),
  ram_mb integer check (ram_mb > 0),
  disk_mb integer check (disk_mb > 0),
  overcommit real not null default 1 check (overcommit between 0.1 and 100),
  port_from integer not null default 25600 check (port_from between 1024 and 65535),
  port_to integer not null default 25999 check (port_to between 1024 and 65535 and port_to >= port_from),
  -- agent_version, protocol, docker, disk_mode, kinds ...: shown to staff, decided on by nobody but the kinds
  facts jsonb not null default '{}',
  -- of its range, held by something else on the host
  ports_used integer[] not null default '{}',
  -- how far its events are known: the journal they come from, and the last number of it
  event_stream text,
  event_seq bigint not null default 0,
  last_seen timestamptz,
  created timestamptz not null default now()
);

create table servers (
  id id primary key,
  owner_id id not null references users on delete restrict,
  order_id id not null unique,
  name text not null check (char_length(name) between 1 and 48),
  kind text not null,
  region text not null,
  plan text not null,
  ram_mb integer not null check (ram_mb > 0),
  cpu_millis integer not null check (cpu_millis > 0),
  swap_mb integer not null default 0 check (swap_mb >= 0),
  disk_mb integer not null check (disk_mb > 0),
  game_version text not null,
  loader text,
  terms_accepted timestamptz not null,
  node_id id references nodes on delete restrict,
  port integer,
  lifecycle text not null default 'unprovisioned' check (lifecycle in
    ('unprovisioned', 'provisioning', 'installing', 'ready', 'suspended', 'upgrading', 'broken', 'deprovisioning')),
  -- why: {reason} of a suspension, {step, error} of what broke, {reason: out_of_stock} while there is no room
  lifecycle_data jsonb not null default '{}',
  -- what is wanted; the whole wish travels under one generation
  power_wanted text not null default 'off' check (power_wanted in ('on', 'off')),
  restart_seq integer not null default 0,
  generation bigint not null default 1,
  -- what the agent saw last, and of which generation
  power text not null default 'stopped' check (power in ('stopped', 'starting', 'running', 'stopping', 'crashed')),
  seen jsonb not null default '{}',
  seen_generation bigint not null default 0,
  seen_at timestamptz,
  created timestamptz not null default now(),
  constraint server_port_taken unique (node_id, port),
  check ((node_id is null) = (port is null))
);
create index servers_owner on servers (owner_id, created desc);

-- what was asked of an agent once and must be done at most once; the browser makes the id
create table server_operations (
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  node_id id references nodes on delete cascade,
  actor_id id,
  kind text not null,
  args jsonb not null default '{}',
  state text not null default 'waiting' check (state in
    ('waiting', 'accepted', 'done', 'failed', 'interrupted', 'expired')),
  not_after timestamptz not null,
  result jsonb,
  created timestamptz not null default now(),
  ended timestamptz
);
create index server_operations_open on server_operations (node_id) where ended is null;
create index server_operations_server on server_operations (server_id, created desc);

-- what agents reported, each once: acknowledged only after this row is committed
create table agent_events (
  node_id id not null references nodes on delete cascade,
  stream_id text not null,
  seq bigint not null,
  server_id text,
  type text not null,
  at timestamptz not null,
  data jsonb not null default '{}',
  received timestamptz not null default now(),
  primary key (node_id, stream_id, seq)
);
create index agent_events_server on agent_events (server_id, received desc);
create index agent_events_received on agent_events (received);

create table server_notices (
  id id primary key,
  level text not null check (level in ('info', 'warn', 'critical', 'survey')),
  title text not null check (char_length(title) between 1 and 120),
  message text not null default '' check (char_length(message) <= 2000),
  url text,
  begins timestamptz not null,
  expires timestamptz,
  dismissable boolean not null default true,
  created_by id,
  created timestamptz not null default now(),
  check (expires is null or expires > begins)
);
-- whom a notice is for; without a row it is for all
create table server_notice_targets (
  notice_id id not null references server_notices on delete cascade,
  node_id id references nodes on delete cascade,
  server_id id references servers on delete cascade,
  check ((node_id is null) <> (server_id is null))
);
create index server_notice_targets_notice on server_notice_targets (notice_id);
create table server_notice_dismissals (
  notice_id id not null references server_notices on delete cascade,
  user_id id not null references users on delete cascade,
  dismissed timestamptz not null default now(),
  primary key (notice_id, user_id)
);

/*
 * Every control plane listens on the channel `hosting` and looks again at what is named: `server:ID`, `node:ID`,
 * `op:ID`, `notices`, `rights`. Whoever writes need not know who is connected where.
 */
create function hosting_notify() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'servers' then
    perform pg_notify('hosting', 'server:' || coalesce(new.id, old.id));
  elsif tg_table_name = 'nodes' then
    perform pg_notify('hosting', 'node:' || coalesce(new.id, old.id));
  elsif tg_table_name = 'server_operations' then
    perform pg_notify('hosting', 'op:' || new.id);
  else
    perform pg_notify('hosting', tg_argv[0]);
  end if;
  return null;
end $$;
create trigger servers_told after insert or update or delete on servers
  for each row execute function hosting_notify();
-- not for heartbeats, which only say that nothing happened
create trigger nodes_told after insert or delete or update of name, region, public_address, bind_address, secret_hash,
    previous_secret_hash, lease, status, draining, overcommit, port_from, port_to, cpu_millis, ram_mb, disk_mb on nodes
  for each row execute function hosting_notify();
create trigger operations_told after insert or update on server_operations
  for each row execute function hosting_notify();
create trigger notices_told after insert or update or delete on server_notices
  for each statement execute function hosting_notify('notices');
create trigger notice_targets_told after insert or update or delete on server_notice_targets
  for each statement execute function hosting_notify('notices');
create trigger dismissals_told after insert or delete on server_notice_dismissals
  for each statement execute function hosting_notify('notices');
-- rights end here, whoever ends them: people leave rooms within a second
create trigger sessions_told after delete on sessions
  for each statement execute function hosting_notify('rights');
create trigger tokens_told after delete or update of scopes, expires on tokens
  for each statement execute function hosting_notify('rights');
create trigger roles_told after update of role on users
  for each statement execute function hosting_notify('rights');
