-- control planes that run now. Unlogged: after a crash of Postgres each of them comes back with its next heartbeat
create unlogged table planes (
  -- of one process, made at its start; it is the holder of leases of nodes
  id text primary key,
  -- where the other planes reach it: unix:/path or http://host:port
  address text not null,
  -- the machine it runs on
  host text not null,
  release text not null,
  -- versions of the link between planes that it speaks, oldest and newest
  protocol_min integer not null,
  protocol_max integer not null check (protocol_max >= protocol_min),
  -- agents connected to it, and viewers of consoles
  agents integer not null default 0,
  viewers integer not null default 0,
  -- by the clock of this database, never by that of a plane
  started timestamptz not null default now(),
  last_seen timestamptz not null default now()
);
