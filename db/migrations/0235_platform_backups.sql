-- backups at the storage of the platform, and what is left of backups when their server is gone. Source: hosting §5.6

-- which S3 store a backup is in, as its agent names it: other agents may have the same one
alter table server_backups add column store text;

-- files of backups on their way between agents and the storage; each address works once, at any control plane
create table backup_transfers (
  hash text primary key,
  -- the staged file that what an agent sends waits in until the agent has said that it sent exactly this
  staged text not null unique,
  -- without references: what a killed plane has staged is found by this row
  server_id id not null,
  backup_id id not null,
  name text not null,
  direction text not null check (direction in ('to', 'from')),
  max_bytes bigint not null,
  expires timestamptz not null,
  used timestamptz,
  bytes bigint,
  sha256 text,
  committed boolean not null default false
);
create index backup_transfers_expires on backup_transfers (expires);
create index backup_transfers_server on backup_transfers (server_id);

-- stored files whose backup is gone: they are removed, again and again until that worked
create table backup_remains (
  backup_id id primary key,
  server_id id not null,
  target text not null check (target in ('platform', 's3')),
  engine text not null,
  store text,
  next_try timestamptz not null default now()
);
create index backup_remains_next on backup_remains (next_try);

/*
 * Every backup at the platform that is deleted, for whatever reason, leaves its name, because control planes remove its
 * files. One in a store does when it went with its server: otherwise its agent has removed it before.
 */
create function backup_left() returns trigger language plpgsql as $$
begin
  if old.target = 'platform' or not exists (select 1 from servers where id = old.server_id) then
    insert into backup_remains (backup_id, server_id, target, engine, store)
    values (old.id, old.server_id, old.target, old.engine, old.store) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger backup_remains_left after delete on server_backups
  for each row when (old.target = 'platform' or (old.target = 's3' and old.store is not null))
  execute function backup_left();

-- passwords of restic repositories, sealed with the key of the installation: a node that is lost must not take them along
create table backup_passwords (
  server_id id primary key references servers on delete cascade,
  sealed text not null
);
