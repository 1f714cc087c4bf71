-- what a server is made of beside its files. Source: hosting §1b
alter table servers
  -- null is the newest one for its game version
  add column loader_version text check (char_length(loader_version) between 1 and 60),
  -- null is the one that suits its game version
  add column java integer check (java in (8, 11, 17, 21, 25)),
  add column jvm_flags text[] not null default '{}',
  -- null is three quarters of its memory
  add column heap_mb integer check (heap_mb >= 256);

-- the loader that a version of a modpack asks for: what `loader.show` knows of versions of loaders
create table modpack_loaders (
  version_id id primary key references versions on delete cascade,
  game_version text not null,
  loader text not null,
  loader_version text not null
);

-- changes of content and loader in steps, each stored before it begins: any control plane goes on with them
create table server_changes (
  -- of the request; the operation that changes files has it too
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  actor_id id,
  kind text not null check (kind in ('install', 'update', 'remove', 'toggle', 'modpack', 'loader', 'undo')),
  step text not null check (step in ('stopping', 'safety', 'erasing', 'applying', 'starting', 'done', 'failed', 'cancelled',
    'undone')),
  -- first 20 of {title, from, to}, and how many there are
  items jsonb not null default '[]',
  count integer not null default 0,
  -- what it changes: `ChangeWork` of db/hosting/servers/content/open-change.ts; without the files once it has ended
  wanted jsonb not null,
  -- what the server was before, for taking it back: `Before` of db/hosting/servers/content/open-change.ts
  before jsonb not null,
  safety_backup_id id references server_backups on delete set null,
  -- it ran, and is started again at the end
  starts boolean not null default false,
  -- a step that only waits for the process ends then
  step_until timestamptz not null,
  cancelling boolean not null default false,
  -- the operation that moved all files into the trash
  erase_op_id uuid,
  -- the operation that brings them back after a failure
  revert_op_id uuid,
  -- the change that this one takes back, and the one that took this one back
  undoes uuid,
  undone_by uuid,
  -- its first start afterwards
  first_start text check (first_start in ('begun', 'ok', 'failed')),
  -- {code, retryable, data}
  error jsonb,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_changes_open on server_changes (server_id) where ended is null;
create index server_changes_server on server_changes (server_id, created desc);

-- the modpack that a server has, with the files it brought: path -> sha512
create table server_packs (
  server_id id primary key references servers on delete cascade,
  project_id id not null,
  version_id id not null,
  files jsonb not null,
  installed timestamptz not null,
  change_id uuid
);

-- what an agent may fetch for a change, until it ends: `files` maps sha512 to keys of the storage
create table server_content_grants (
  hash text primary key,
  server_id id not null references servers on delete cascade,
  change_id uuid not null,
  files jsonb not null,
  expires timestamptz not null
);
create index server_content_grants_expires on server_content_grants (expires);

/* Every control plane hears `changes:SERVER_ID` on the channel `hosting` when changes have to go on or are shown anew. */
create function server_changes_notify() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'server_changes' then
    perform pg_notify('hosting', 'changes:' || coalesce(new.server_id, old.server_id));
  elsif tg_table_name = 'servers' then
    if exists (select 1 from server_changes where server_id = new.id and ended is null) then
      perform pg_notify('hosting', 'changes:' || new.id);
    end if;
  elsif exists (select 1 from server_changes where server_id = new.server_id and ended is null) then
    perform pg_notify('hosting', 'changes:' || new.server_id);
  end if;
  return null;
end $$;
create trigger changes_told after insert or update or delete on server_changes
  for each row execute function server_changes_notify();
create trigger changed_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_changes_notify();
create trigger changed_operations_told after update on server_operations
  for each row when (new.kind like 'content\_%' or new.kind in ('file_erase', 'file_unerase')) execute function server_changes_notify();
create trigger changed_servers_told after update of power, lifecycle on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle) execute function server_changes_notify();
