import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { settleTasks } from '../hosting/servers/settle-tasks.ts';
import { newId } from '../platform/id.ts';
import { connect, type Pool } from '../platform/postgres/sql.ts';
import * as build from '../testing/builders/build.ts';
import { node, server } from '../testing/builders/hosting.ts';
import { testDatabase } from '../testing/database.ts';
import { migrate, migrations } from './migrate.ts';

const database = testDatabase();
const tables = ['server_restores', 'server_changes', 'server_moves', 'server_schedule_runs'] as const;

/** Work on a database as it was before tasks had a table, and what it is after the upgrade. */
async function onDatabaseBefore(work: (before: Pool) => Promise<void>): Promise<void> {
  const { sql } = database;
  const name = `${database.name}_before`;
  await sql.unsafe(`create database ${name} template template0`);
  const before = connect({ address: database.address, database: name, max: 2 });
  try {
    await before`create table migrations (name text primary key, checksum text not null, ran timestamptz not null default now())`;
    for (const { name: file, text, checksum } of migrations()) {
      if (file >= '0365') continue;
      await before.unsafe(text);
      await before`insert into migrations (name, checksum) values (${file}, ${checksum})`;
    }
    await work(before);
  } finally {
    await before.end();
    await sql.unsafe(`drop database ${name} with (force)`);
  }
}

const now = new Date('2026-11-30T20:00:00.250Z');
const earlier = new Date('2026-11-29T04:00:00Z');

/** A row of each of the four tables in the middle of its work, and an ended one. */
async function addRows(sql: Pool) {
  const owner = await build.user(sql);
  const id = await server(sql, owner);
  const machine = await node(sql, now);
  await sql`update servers set node_id = ${machine.id}, port = 25600, lifecycle = 'ready' where id = ${id}`;
  const backup = async (state: string) => {
    const of = { id: newId(), server_id: id, name: state, state, rest: 'done', reason: 'user', created: now };
    const how = { game_version: '1.20.1', engine: 'archive', target: 'node' };
    await sql`insert into server_backups ${sql({ ...of, ...how })}`;
    return of.id;
  };
  const [restored, safety] = [await backup('restoring'), await backup('creating')];
  const by = { server_id: id, actor_id: owner.id };
  const open = { ended: null, created: now };
  const over = { ended: now, created: earlier };
  const restore = {
    ...{ ...by, backup_id: restored, safety: true, safety_backup_id: safety, starts: true },
    stops_until: now,
  };
  const restore_id = randomUUID();
  await sql`insert into server_restores ${sql({ ...restore, ...open, op_id: restore_id, step: 'safety' })}`;
  await sql`insert into server_restores ${sql({ ...restore, ...over, op_id: randomUUID(), step: 'failed' })}`;
  const json = (value: object) => sql.json(value as never);
  const spec = { game_version: '1.20.1', loader: 'fabric', loader_version: null };
  const change = {
    ...{ ...by, kind: 'loader', count: 1, items: json([{ title: 'Fabric', from: null, to: '1' }]) },
    wanted: json({ spec, content: null, files: {}, pack: null, erase: true, backup: false, stops: true }),
    ...{ before: json({ spec: { ...spec, java: null } }), step_until: now, starts: true },
  };
  const erase_op_id = randomUUID();
  const erased = { ...open, id: randomUUID(), step: 'erasing', erase_op_id };
  const erase = { id: erase_op_id, server_id: id, node_id: machine.id, kind: 'file_erase' };
  await sql`insert into server_operations ${sql({ ...erase, state: 'accepted', not_after: now })}`;
  await sql`insert into server_changes ${sql({ ...change, ...erased })}`;
  const undone = { step: 'undone', undone_by: randomUUID(), first_start: 'failed' };
  await sql`insert into server_changes ${sql({ ...change, ...over, id: randomUUID(), ...undone })}`;
  const move = {
    ...{ ...by, reason: 'drain', from_node: machine.id, from_port: 25600, backup_id: safety },
    ...{ port_names: ['map', 'voice'], starts: true, step_until: '2100-01-01' },
  };
  const restoring = { ...open, step: 'restoring', restore_id };
  await sql`insert into server_moves ${sql({ ...move, ...restoring, id: randomUUID() })}`;
  const error = json({ code: 'no_other_node', retryable: true });
  await sql`insert into server_moves ${sql({ ...move, ...over, id: randomUUID(), step: 'failed', error })}`;
  const schedule_id = 'schedule';
  await sql`insert into server_schedules ${sql({
    ...{
      id: schedule_id,
      server_id: id,
      actor_id: owner.id,
      name: 'Nightly',
      cron: '0 4 * * *',
      timezone: 'UTC',
    },
    ...{
      enabled: true,
      only_when_empty: false,
      only_when_running: false,
      on_failure: 'stop',
      created: earlier,
    },
    steps: json([{ kind: 'wait', seconds: 60 }]),
  })}`;
  const run = { schedule_id, server_id: id, steps: json([{ kind: 'wait', seconds: 60 }]) };
  const result = { state: 'running', reason: null, began: now, ended: null, op_id: randomUUID(), until: now };
  await sql`insert into server_schedule_runs ${sql({
    ...{ ...run, id: randomUUID(), trigger: 'hand', asked_by: owner.id, due: now, last_due: now },
    ...{ outcome: 'running', results: json([result]), wake: now, began: now },
  })}`;
  await sql`insert into server_schedule_runs ${sql({
    ...{
      ...run,
      id: randomUUID(),
      trigger: 'time',
      due: earlier,
      last_due: now,
      count: 2,
      outcome: 'skipped',
    },
    ...{ reason: json({ code: 'server_not_running' }), results: json([]), began: now, ended: now },
  })}`;
  return { id, owner, safety, erase_op_id };
}

const rowsOf = async (sql: Pool) =>
  Object.fromEntries(
    await Promise.all(
      tables.map(
        async (table) =>
          [table, [...(await sql`select * from ${sql(table)} order by ended nulls first`)]] as const,
      ),
    ),
  );

test('an upgrade keeps what runs in the middle, and what has ended; the release before sees both as before', async () => {
  await onDatabaseBefore(async (sql) => {
    const { id, owner } = await addRows(sql);
    const before = await rowsOf(sql);
    expect(await migrate(sql)).toContain('0365_server_tasks.sql');

    expect(await rowsOf(sql)).toEqual(before);
    expect(
      await sql`select kind, step, ended is null as open from server_tasks order by kind, ended nulls first`,
    ).toEqual([
      { kind: 'change', step: 'erasing', open: true },
      { kind: 'change', step: 'undone', open: false },
      { kind: 'move', step: 'restoring', open: true },
      { kind: 'move', step: 'failed', open: false },
      { kind: 'restore', step: 'safety', open: true },
      { kind: 'restore', step: 'failed', open: false },
      { kind: 'run', step: 'running', open: true },
      { kind: 'run', step: 'skipped', open: false },
    ]);

    // what the release before writes is a task too
    await sql`update server_restores set step = 'done', ended = now() where server_id = ${id} and ended is null`;
    await sql`update server_changes set first_start = 'ok', count = 3 where server_id = ${id} and ended is null`;
    await sql`update server_moves set step = 'queued' where server_id = ${id} and ended is null`;
    await sql`update server_schedule_runs set count = 7 where ended is not null`;
    await sql`delete from server_moves where ended is not null`;
    const [row] = await sql<{ restores: number; starts: string; moves: string[]; runs: number }[]>`
      select count(*) filter (where kind = 'restore' and ended is null)::int as restores,
        min(data->>'first_start') filter (where ended is null) as starts,
        array_agg(step) filter (where kind = 'move') as moves,
        sum((data->>'count')::int) filter (where kind = 'run')::int as runs
      from server_tasks`;
    expect(row).toEqual({ restores: 0, starts: 'ok', moves: ['queued'], runs: 8 });
    const move = { server_id: id, actor_id: owner.id, reason: 'staff', step: 'placing' };
    await sql`insert into server_moves ${sql({ ...move, id: randomUUID(), step_until: now, created: now, ended: now })}`;
    expect(await sql`select port_names, starts from server_moves where step = 'placing'`).toEqual([
      { port_names: [], starts: false },
    ]);
  });
});

test('tasks that are in the middle when the database is upgraded go on', async () => {
  await onDatabaseBefore(async (sql) => {
    const { id, safety, erase_op_id } = await addRows(sql);
    await migrate(sql);
    await sql`update server_backups set state = 'done' where id = ${safety}`;
    await sql`update server_operations set state = 'done', ended = now(), result = '{}' where id = ${erase_op_id}`;
    const settle = () =>
      settleTasks(sql, id, { settings: database.settings, runs: { players: null } }, new Date(+now + 1_000));
    const steps = async () => {
      const rows = await sql`
        select kind, step from server_tasks where ended is null or ended > ${now} order by kind`;
      return rows.map(({ kind, step }) => `${kind} ${step}`);
    };
    await settle();
    expect(await steps()).toEqual(['change starting', 'move restoring', 'restore restoring', 'run done']);

    await sql`update server_operations set state = 'done', ended = now(), result = '{}' where kind = 'backup_restore'`;
    await sql`update servers set power = 'running' where id = ${id}`;
    await settle();
    expect(await steps()).toEqual(['change done', 'move done', 'restore done', 'run done']);
  });
});
