-- What is done to a server in steps, each stored before it begins, so that any control plane goes on with it: restores of backups, changes
-- of content and loader, moves to other nodes, runs of schedules. What a task refers to is a column, so that foreign keys hold; what only
-- its kind has is in `data`. Its types are in the folder of the kind: db/hosting/servers/tasks/README.md.
create table server_tasks (
  -- of the request: the same one twice is one task. The operation that changes files has it too
  id uuid primary key,
  -- the server whose files are replaced or changed, or that is moved
  server_id id not null references servers on delete cascade,
  kind text not null,
  -- who asked for it; null for schedules and the installation
  actor_id id references users on delete set null,
  step text not null check (case kind
    when 'restore' then step in ('stopping', 'safety', 'restoring', 'done', 'failed', 'cancelled')
    when 'change' then step in ('stopping', 'safety', 'erasing', 'applying', 'starting', 'done', 'failed', 'cancelled', 'undone')
    when 'move' then step in ('queued', 'stopping', 'saving', 'placing', 'installing', 'restoring', 'done', 'failed', 'cancelled')
    when 'run' then step in ('running', 'done', 'failed', 'skipped', 'missed')
    else false end),
  -- a step that only waits is over then; a run is looked at again then
  step_until timestamptz,
  -- the server ran, and is started again at the end
  starts boolean not null default false,
  cancelling boolean not null default false,
  -- the backup that is restored
  backup_id id references server_backups on delete cascade check ((backup_id is not null) = (kind = 'restore')),
  -- the backup of the state before; a server whose node is lost is moved with its newest one
  safety_backup_id id references server_backups on delete set null,
  -- the node that was asked for, then the one that was chosen
  from_node id references nodes on delete set null,
  to_node id references nodes on delete set null,
  schedule_id id references server_schedules on delete cascade check ((schedule_id is not null) = (kind = 'run')),
  data jsonb not null,
  -- {code, retryable, data}: why it failed, or a run did not take place
  error jsonb,
  began timestamptz not null,
  ended timestamptz
);
create unique index server_tasks_open on server_tasks (server_id, kind) where ended is null and kind <> 'run';
create unique index server_tasks_open_backup on server_tasks (backup_id) where ended is null;
create index server_tasks_server on server_tasks (server_id, kind, began desc);
-- backups are deleted often
create index server_tasks_backup on server_tasks (backup_id) where backup_id is not null;
create index server_tasks_safety on server_tasks (safety_backup_id) where safety_backup_id is not null;
create index server_tasks_from on server_tasks (from_node) where ended is null;
create index server_tasks_waiting on server_tasks (began) where ended is null;
-- one run of a schedule at a time, and each due time once
create unique index server_tasks_open_run on server_tasks (schedule_id) where ended is null;
create unique index server_tasks_due on server_tasks (schedule_id, (data->>'last_due')) where data->>'trigger' = 'time';
create index server_tasks_runs on server_tasks (schedule_id, began desc);

-- the instants in `data` of runs, as control planes write them
create function task_instant(at timestamptz) returns text language sql immutable as $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

insert into server_tasks (id, server_id, kind, actor_id, step, step_until, starts, backup_id, safety_backup_id, data, began, ended)
select op_id, server_id, 'restore', (select u.id from users u where u.id = actor_id), step, stops_until, starts, backup_id,
  safety_backup_id, jsonb_build_object('safety', safety), created, ended
from server_restores;

insert into server_tasks (id, server_id, kind, actor_id, step, step_until, starts, cancelling, safety_backup_id, data, error, began, ended)
select id, server_id, 'change', (select u.id from users u where u.id = actor_id), step, step_until, starts and step <> 'starting', cancelling,
  safety_backup_id, jsonb_build_object('kind', kind, 'items', items, 'count', count, 'wanted', wanted, 'before', before, 'erase_op_id', erase_op_id,
    'revert_op_id', revert_op_id, 'undoes', undoes, 'undone_by', undone_by, 'first_start', first_start), error, created, ended
from server_changes;

insert into server_tasks (id, server_id, kind, actor_id, step, step_until, starts, safety_backup_id, from_node, to_node, data, error, began,
  ended)
select id, server_id, 'move', (select u.id from users u where u.id = actor_id), step, step_until, starts, backup_id, from_node, to_node,
  jsonb_build_object('reason', reason, 'from_port', from_port, 'restore_id', restore_id, 'port_names', to_jsonb(port_names)), error, created,
  ended
from server_moves;

insert into server_tasks (id, server_id, kind, actor_id, step, step_until, schedule_id, data, error, began, ended)
select id, server_id, 'run', asked_by, outcome, wake, schedule_id,
  jsonb_build_object('trigger', trigger, 'due', task_instant(due), 'last_due', task_instant(last_due), 'count', count, 'steps', steps,
    'results', results), reason, began, ended
from server_schedule_runs;

drop function backups_notify() cascade;
drop function server_changes_notify() cascade;
drop function server_moves_notify() cascade;
drop function server_schedules_notify() cascade;
drop table server_restores;
drop table server_changes;
drop table server_moves;
drop table server_schedule_runs;

/*
 * Every control plane hears `tasks:SERVER_ID:LIST` on the channel `hosting` when tasks of a server may go on, and when what a list of its
 * panel shows has changed. Planes of the release before hear the second notice.
 */
create function tell_tasks(of_server text, list text) returns void language sql as $$
  select pg_notify('hosting', 'tasks:' || of_server || ':' || list);
  select pg_notify('hosting', list || ':' || of_server);
$$;

-- the list in which tasks of a kind are shown
create function task_list(kind text) returns text language sql immutable as $$
  select case kind when 'restore' then 'backups' when 'change' then 'changes' when 'move' then 'moves' else 'schedules' end
$$;

-- tells open tasks of these kinds that what they wait for may have come
create function tell_open_tasks(of_server text, kinds text[]) returns void language sql as $$
  select tell_tasks(server_id, task_list(kind)) from (
    select distinct server_id, kind from server_tasks where server_id = of_server and ended is null and kind = any(kinds)) waiting
$$;

create function server_tasks_notify() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_server text;
begin
  case tg_table_name
  when 'server_tasks' then
    of_server := coalesce(new.server_id, old.server_id);
    perform tell_tasks(of_server, task_list(coalesce(new.kind, old.kind)));
    if coalesce(new.kind, old.kind) = 'move' then perform pg_notify('hosting', 'server:' || of_server); end if;
    -- that of another server is free again when it is gone
    perform tell_tasks(server_id, 'backups') from server_backups
    where id = coalesce(new.backup_id, old.backup_id) and server_id <> of_server;
    -- the others of its server may wait for it
    if tg_op = 'UPDATE' and new.step <> old.step then
      perform tell_open_tasks(of_server, '{restore,change,move,run}');
    end if;
  when 'server_backups' then
    of_server := coalesce(new.server_id, old.server_id);
    perform tell_tasks(of_server, 'backups');
    -- its files may be on their way to another server
    perform tell_tasks(server_id, 'backups') from server_tasks
    where backup_id = coalesce(new.id, old.id) and ended is null and server_id <> of_server;
    if tg_op = 'UPDATE' and new.state <> old.state then perform tell_open_tasks(of_server, '{change,move,run}'); end if;
  when 'server_operations' then
    if new.kind like 'backup\_%' then
      perform tell_tasks(server_id, 'backups') from server_backups where last_op_id = new.id;
      perform tell_open_tasks(new.server_id, '{restore}');
    else
      perform tell_open_tasks(new.server_id, '{change}');
    end if;
  when 'servers' then
    perform tell_open_tasks(new.id, case
      when new.power <> old.power or new.lifecycle <> old.lifecycle then '{restore,change,move,run}'
      when new.seen->>'epoch' is distinct from old.seen->>'epoch' then '{move,run}'
      else '{move}' end::text[]);
  when 'server_schedules' then
    perform tell_tasks(coalesce(new.server_id, old.server_id), 'schedules');
  else
    perform pg_notify('hosting', 'server:' || coalesce(new.server_id, old.server_id));
  end case;
  return null;
end $$;
create trigger tasks_told after insert or delete on server_tasks
  for each row execute function server_tasks_notify();
-- runs look again every few seconds, which changes nothing that is shown
create trigger changed_tasks_told after update on server_tasks
  for each row when ((old.step, old.starts, old.cancelling, old.to_node, old.safety_backup_id, old.data, old.error, old.ended)
    is distinct from (new.step, new.starts, new.cancelling, new.to_node, new.safety_backup_id, new.data, new.error, new.ended)
    or (new.kind <> 'run' and new.step_until is distinct from old.step_until))
  execute function server_tasks_notify();
create trigger backups_told after insert or update or delete on server_backups
  for each row execute function server_tasks_notify();
create trigger task_operations_told after update on server_operations
  for each row when (new.kind like 'backup\_%' or new.kind like 'content\_%' or new.kind in ('file_erase', 'file_unerase'))
  execute function server_tasks_notify();
create trigger tasks_of_servers_told after update of power, lifecycle, seen on servers
  for each row when (new.power <> old.power or new.lifecycle <> old.lifecycle or new.seen <> old.seen)
  execute function server_tasks_notify();
create trigger schedules_told after insert or update or delete on server_schedules
  for each row execute function server_tasks_notify();
create trigger copies_told after insert or update or delete on server_copies
  for each row execute function server_tasks_notify();

-- The release before reads and writes the four tables that these views were. A later migration drops them, with the second notice above.
create view server_restores as
  select id as op_id, backup_id, server_id, actor_id, step, (data->>'safety')::boolean as safety, safety_backup_id, starts,
    step_until as stops_until, began as created, ended
  from server_tasks where kind = 'restore';
create view server_changes as
  select id, server_id, actor_id, data->>'kind' as kind, step, data->'items' as items, (data->>'count')::integer as count,
    data->'wanted' as wanted, data->'before' as before, safety_backup_id, starts, step_until, cancelling,
    (data->>'erase_op_id')::uuid as erase_op_id, (data->>'revert_op_id')::uuid as revert_op_id, (data->>'undoes')::uuid as undoes,
    (data->>'undone_by')::uuid as undone_by, data->>'first_start' as first_start, error, began as created, ended
  from server_tasks where kind = 'change';
create view server_moves as
  select id, server_id, actor_id, data->>'reason' as reason, step, from_node, (data->>'from_port')::integer as from_port, to_node,
    safety_backup_id as backup_id, (data->>'restore_id')::uuid as restore_id,
    array(select jsonb_array_elements_text(data->'port_names')) as port_names, starts, step_until, error, began as created, ended
  from server_tasks where kind = 'move';
create view server_schedule_runs as
  select id, schedule_id, server_id, data->>'trigger' as trigger, actor_id as asked_by, (data->>'due')::timestamptz as due,
    (data->>'last_due')::timestamptz as last_due, (data->>'count')::integer as count, step as outcome, error as reason,
    data->'steps' as steps, data->'results' as results, step_until as wake, began, ended
  from server_tasks where kind = 'run';

create function write_former_task() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  task server_tasks;
begin
  if tg_op = 'DELETE' then
    delete from server_tasks where id = coalesce(to_jsonb(old)->>'op_id', to_jsonb(old)->>'id')::uuid;
    return old;
  end if;
  case tg_table_name
  when 'server_restores' then
    task := row(new.op_id, new.server_id, 'restore', new.actor_id, new.step, new.stops_until, new.starts, false, new.backup_id,
      new.safety_backup_id, null, null, null, jsonb_build_object('safety', new.safety), null, new.created, new.ended);
  when 'server_changes' then
    task := row(new.id, new.server_id, 'change', new.actor_id, new.step, new.step_until, new.starts, new.cancelling, null,
      new.safety_backup_id, null, null, null, jsonb_build_object('kind', new.kind, 'items', coalesce(new.items, '[]'), 'count',
      coalesce(new.count, 0), 'wanted', new.wanted, 'before', new.before, 'erase_op_id', new.erase_op_id, 'revert_op_id', new.revert_op_id,
      'undoes', new.undoes, 'undone_by', new.undone_by, 'first_start', new.first_start), new.error, new.created, new.ended);
  when 'server_moves' then
    task := row(new.id, new.server_id, 'move', new.actor_id, new.step, new.step_until, new.starts, false, null, new.backup_id,
      new.from_node, new.to_node, null, jsonb_build_object('reason', new.reason, 'from_port', new.from_port, 'restore_id', new.restore_id,
      'port_names', to_jsonb(coalesce(new.port_names, '{}'))), new.error, new.created, new.ended);
  else
    task := row(new.id, new.server_id, 'run', new.asked_by, new.outcome, new.wake, false, false, null, null, null, null, new.schedule_id,
      jsonb_build_object('trigger', new.trigger, 'due', task_instant(new.due), 'last_due', task_instant(new.last_due), 'count',
      coalesce(new.count, 1), 'steps', new.steps, 'results', new.results), new.reason, new.began, new.ended);
  end case;
  -- it was started with this step, and who stopped it since has the last word
  task.starts := coalesce(task.starts, false) and task.step <> 'starting';
  task.cancelling := coalesce(task.cancelling, false);
  if tg_op = 'INSERT' then
    insert into server_tasks select task.*;
  else
    update server_tasks set (step, step_until, starts, cancelling, safety_backup_id, from_node, to_node, data, error, began, ended)
      = (task.step, task.step_until, task.starts, task.cancelling, task.safety_backup_id, task.from_node, task.to_node, task.data,
        task.error, task.began, task.ended)
    where id = task.id;
  end if;
  return new;
end $$;
create trigger written instead of insert or update or delete on server_restores for each row execute function write_former_task();
create trigger written instead of insert or update or delete on server_changes for each row execute function write_former_task();
create trigger written instead of insert or update or delete on server_moves for each row execute function write_former_task();
create trigger written instead of insert or update or delete on server_schedule_runs for each row execute function write_former_task();
