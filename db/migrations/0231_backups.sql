-- backups of the files of servers; the bytes are at their target. Source: hosting §5.6
create table server_backups (
  id id primary key,
  server_id id not null references servers on delete cascade,
  name text not null check (char_length(name) between 1 and 48),
  state text not null default 'queued' check (state in ('queued', 'creating', 'done', 'unchanged', 'failed', 'cancelled',
    'restoring', 'preparing', 'verifying', 'deleting', 'damaged')),
  -- its state when nothing is in progress on it: what an action that ends returns to
  rest text check (rest in ('done', 'unchanged', 'damaged')),
  reason text not null check (reason in ('user', 'schedule', 'safety')),
  locked boolean not null default false,
  actor_id id,
  -- the operation in progress, and the latest one, whose result may come after it was given up
  op_id uuid,
  last_op_id uuid,
  cancelling boolean not null default false,
  -- why the last action on it failed: {code, retryable, data}
  error jsonb,
  created timestamptz not null,
  ended timestamptz,
  bytes bigint,
  content_bytes bigint,
  files bigint,
  sha256 text,
  changed jsonb not null default '[]',
  changed_count bigint not null default 0,
  game_version text not null,
  loader text,
  engine text not null check (engine in ('archive', 'restic')),
  target text not null check (target in ('node', 'platform', 's3')),
  verified timestamptz,
  check (rest is not null or state in ('queued', 'creating', 'failed', 'cancelled'))
);
create unique index backup_name_taken on server_backups (server_id, lower(name));
create index server_backups_created on server_backups (server_id, created desc);
create index server_backups_operation on server_backups (last_op_id);

-- restores in steps, each stored before it begins: any control plane goes on with them
create table server_restores (
  -- of the operation that replaces the files
  op_id uuid primary key,
  backup_id id not null references server_backups on delete cascade,
  -- the server whose files are replaced
  server_id id not null references servers on delete cascade,
  actor_id id,
  step text not null check (step in ('stopping', 'safety', 'restoring', 'done', 'failed', 'cancelled')),
  safety boolean not null,
  safety_backup_id id references server_backups on delete set null,
  -- it ran, and is started again at the end
  starts boolean not null,
  -- until then it must have stopped
  stops_until timestamptz not null,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_restores_server on server_restores (server_id) where ended is null;
create unique index server_restores_backup on server_restores (backup_id) where ended is null;

-- when backups are made by themselves, and which of these stay
create table server_backup_rules (
  server_id id primary key references servers on delete cascade,
  every_hours integer check (every_hours between 1 and 168),
  last integer not null check (last between 1 and 15),
  hourly integer not null check (hourly between 0 and 15),
  daily integer not null check (daily between 0 and 15),
  weekly integer not null check (weekly between 0 and 15),
  due timestamptz,
  check ((every_hours is null) = (due is null))
);
create index server_backup_rules_due on server_backup_rules (due) where due is not null;

/*
 * Every control plane hears `backups:SERVER_ID` on the channel `hosting` when backups of the server changed, or when they
 * have to go on: an operation on them moved or ended, or a server that is to be restored has stopped.
 */
create function backups_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'server_backups' then
    perform pg_notify('hosting', 'backups:' || coalesce(new.server_id, old.server_id));
  elsif tg_table_name = 'server_restores' then
    select server_id into of_server from server_backups where id = coalesce(new.backup_id, old.backup_id);
    if of_server is not null then perform pg_notify('hosting', 'backups:' || of_server); end if;
  elsif tg_table_name = 'server_operations' then
    select server_id into of_server from server_backups where last_op_id = new.id;
    if of_server is not null then perform pg_notify('hosting', 'backups:' || of_server); end if;
  elsif exists (select 1 from server_restores where server_id = new.id and ended is null) then
    perform pg_notify('hosting', 'backups:' || new.id);
  end if;
  return null;
end $$;
create trigger backups_told after insert or update or delete on server_backups
  for each row execute function backups_notify();
create trigger restores_told after insert or update or delete on server_restores
  for each row execute function backups_notify();
create trigger backup_operations_told after update on server_operations
  for each row when (new.kind like 'backup\_%') execute function backups_notify();
create trigger restored_servers_told after update of power, lifecycle on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle) execute function backups_notify();
