-- What happened to the security of accounts, from where, and by which session, token or app: kept 13 months.
create table security_events (
  id bigint generated always as identity primary key,
  kind text not null,
  -- the account that it happened to; null where no account has the name that was typed
  user_id id references users on delete cascade,
  -- who did it, where that is somebody else
  by_id id,
  address text,
  -- 'session', 'token' or 'app' and its id
  credential text,
  detail jsonb not null default '{}',
  first timestamptz not null,
  last timestamptz not null,
  times int not null default 1,
  -- what is counted by the hour; null for what stands alone
  hour timestamptz
);
create index security_events_user on security_events (user_id, id);
create index security_events_last on security_events (last);
create unique index security_events_counted on security_events (kind, user_id, address, credential, hour)
  nulls not distinct where hour is not null;

-- from where tokens and apps were used, by hash: to tell of a new network
create table credential_networks (
  credential text not null,
  network_hash text not null,
  last timestamptz not null,
  primary key (credential, network_hash)
);
create index credential_networks_last on credential_networks (last);
