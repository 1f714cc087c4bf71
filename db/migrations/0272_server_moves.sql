-- moves of servers to other nodes in steps, each stored before it begins: any control plane goes on with them
create table server_moves (
  -- of the request: the same one twice is one move
  id uuid primary key,
  server_id id not null references servers on delete cascade,
  actor_id id,
  -- `lost`: its node will not come back, its newest backup elsewhere is used
  reason text not null check (reason in ('staff', 'drain', 'lost')),
  step text not null check (step in ('queued', 'stopping', 'saving', 'placing', 'installing', 'restoring', 'done', 'failed',
    'cancelled')),
  from_node id references nodes on delete set null,
  from_port integer,
  -- the node that was asked for, then the one that was chosen
  to_node id references nodes on delete set null,
  backup_id id references server_backups on delete set null,
  -- the operation that replaces the files
  restore_id uuid,
  -- names of the ports that it has beside that of the game: it gets as many on the other node
  port_names text[] not null default '{}',
  -- it ran, and is started again at the end
  starts boolean not null default false,
  -- a step that only waits ends then
  step_until timestamptz not null,
  -- {code, retryable}
  error jsonb,
  created timestamptz not null,
  ended timestamptz
);
create unique index server_moves_open on server_moves (server_id) where ended is null;
create index server_moves_from on server_moves (from_node) where ended is null;
create index server_moves_server on server_moves (server_id, created desc);

-- nodes that have files of a server which is on another one: kept until its move has ended, then removed
create table server_copies (
  server_id id not null references servers on delete cascade,
  node_id id not null references nodes on delete cascade,
  port integer not null,
  -- what the agent there knows: it gets nothing newer
  generation bigint not null,
  -- its other ports there, as [{port, name}]: they are its own again when it goes back
  extra_ports jsonb not null default '[]',
  kept boolean not null,
  primary key (server_id, node_id)
);
create index server_copies_node on server_copies (node_id);

create or replace view reserved_servers as
  select s.id, s.node_id, greatest(s.ram_mb, coalesce(c.ram_mb, 0)) as ram_mb,
    greatest(s.cpu_millis, coalesce(c.cpu_millis, 0)) as cpu_millis, greatest(s.disk_mb, coalesce(c.disk_mb, 0)) as disk_mb
  from servers s left join plan_changes c on c.server_id = s.id and c.state in ('paying', 'paid')
  -- its place stays free, so that a move that fails can go back
  union all select s.id, k.node_id, s.ram_mb, s.cpu_millis, s.disk_mb
  from server_copies k join servers s on s.id = k.server_id where k.kept;

/* Every control plane hears `moves:SERVER_ID` on the channel `hosting` when a move has to go on. */
create function server_moves_notify() returns trigger language plpgsql as $$
declare
  of_server text;
begin
  if tg_table_name = 'server_copies' then
    perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
    return null;
  elsif tg_table_name = 'server_moves' then
    of_server := coalesce(new.server_id, old.server_id);
    perform pg_notify('hosting', 'server:' || of_server);
  elsif tg_table_name = 'servers' then
    of_server := new.id;
  else
    of_server := new.server_id;
  end if;
  if exists (select 1 from server_moves where server_id = of_server and ended is null) then
    perform pg_notify('hosting', 'moves:' || of_server);
  end if;
  return null;
end $$;
create trigger moves_told after insert or update or delete on server_moves
  for each row execute function server_moves_notify();
create trigger copies_told after insert or update or delete on server_copies
  for each row execute function server_moves_notify();
create trigger moved_servers_told after update of power, lifecycle, seen on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle or new.seen <> old.seen)
  execute function server_moves_notify();
create trigger moved_backups_told after update of state on server_backups
  for each row when (new.state <> old.state) execute function server_moves_notify();
create trigger moved_restores_told after update of ended on server_restores
  for each row when (new.ended is not null) execute function server_moves_notify();
