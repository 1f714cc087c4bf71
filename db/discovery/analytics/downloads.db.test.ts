import { afterEach, beforeEach, expect, test } from 'vitest';
import { connect } from '../../platform/postgres/sql.ts';
import {
  type BuiltProject,
  type BuiltVersion,
  project,
  token,
  user,
  version,
} from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { type UsageCounter, usageCounter } from './counter.ts';

const database = testDatabase();
let now: Date;
let counter: UsageCounter;
let warnings: unknown[];
let one: BuiltProject;
let old: BuiltVersion;
let young: BuiltVersion;

beforeEach(async () => {
  now = new Date('2026-01-01T00:00:00Z');
  warnings = [];
  counter = made();
  one = await project(database.sql);
  old = await version(database.sql, one);
  young = await version(database.sql, one);
});
afterEach(() => counter.close());

const made = (sql = database.sql) =>
  usageCounter(
    { sql, log: { warn: (entry: unknown) => warnings.push(entry) } as never, now: () => now },
    { flush_ms: 3_600_000 },
  );
const from = (network: string, of: { id: string } = old, at: { id: string } = one) =>
  counter.count({ project_id: at.id, version_id: of.id, network });
const counts = async (at: { id: string } = one) => {
  const [row] = await database.sql<Array<{ downloads: number; versions: number[] }>>`
    select p.downloads, (select array_agg(downloads::int order by array_position(${[old.id, young.id]}, v.id::text)) from versions v where v.project_id = p.id) as versions
    from projects p where p.id = ${at.id}`;
  return [row!.downloads, ...row!.versions];
};
const events = async () => {
  const rows = await database.sql<
    Array<{ data: { project_ids: string[] } }>
  >`select data from events where name = 'project.counted' order by id`;
  return rows.map(({ data }) => data.project_ids);
};

test('adds downloads of several networks to version and project, with one event', async () => {
  const other = await project(database.sql);
  const its = await version(database.sql, other);
  const before = (await events()).length;
  from('1.1.1.1');
  from('1.1.1.2', young);
  from('2001:db8:1:2::/64', young);
  from('1.1.1.1', its, other);
  expect(await counts()).toEqual([0, 0, 0]);
  await counter.flush();
  expect(await counts()).toEqual([3, 1, 2]);
  expect((await events()).slice(before)).toEqual([[one.id, other.id].sort()]);
  await counter.flush();
  expect((await events()).length).toBe(before + 1);
});

test('counts a network once per project and flush, whichever the version', async () => {
  from('1.1.1.1', old);
  from('1.1.1.1', young);
  from('1.1.1.1', old);
  await counter.flush();
  expect(await counts()).toEqual([1, 1, 0]);
});

test('counts at most six until six hours after the last one, then again', async () => {
  for (let i = 0; i < 8; i++) {
    from('1.1.1.1');
    await counter.flush();
    now = new Date(now.getTime() + 3_600_000);
  }
  expect((await counts())[0]).toBe(6);
  now = new Date(now.getTime() + 4 * 3_600_000 - 1);
  from('1.1.1.1');
  await counter.flush();
  expect((await counts())[0]).toBe(7);
});

test('restarts the window with each counted download, not with an ignored one', async () => {
  for (let i = 0; i < 6; i++) {
    from('1.1.1.1');
    await counter.flush();
  }
  now = new Date(now.getTime() + 6 * 3_600_000 - 1);
  from('1.1.1.1');
  await counter.flush();
  expect((await counts())[0]).toBe(6);
  now = new Date(now.getTime() + 1);
  from('1.1.1.1');
  await counter.flush();
  expect((await counts())[0]).toBe(7);
});

test('ignores unknown versions and versions of another project', async () => {
  const other = await project(database.sql);
  from('1.1.1.1', { id: 'nowhere1' });
  from('1.1.1.2', old, other);
  from('1.1.1.3', { id: "x' or true" });
  from('1.1.1.4');
  await counter.flush();
  expect(await counts()).toEqual([1, 1, 0]);
  expect(warnings).toEqual([]);
});

test('stores no address, and deletes expired windows', async () => {
  from('203.0.113.77');
  await counter.flush();
  const [stored] = await database.sql<
    Array<{ all: string }>
  >`select jsonb_agg(w)::text as all from download_windows w`;
  expect(stored!.all).not.toContain('203.0.113');
  now = new Date(now.getTime() + 6 * 3_600_000);
  await counter.flush();
  const rows = await database.sql`select 1 from download_windows where until <= ${now}`;
  expect(rows).toHaveLength(0);
});

test('two processes counting at the same time neither lose a download nor block each other', async () => {
  const others = [made(), made()];
  const projects = await Promise.all(Array.from({ length: 5 }, () => project(database.sql)));
  const versions = await Promise.all(projects.map((at) => version(database.sql, at)));
  for (let round = 0; round < 10; round++) {
    for (const [n, each] of others.entries()) {
      const order = n === 0 ? projects.keys() : [...projects.keys()].reverse();
      for (const i of order)
        each.count({
          project_id: projects[i]!.id,
          version_id: versions[i]!.id,
          network: `10.${n}.${round}.${i}`,
        });
    }
    await Promise.all(others.map((each) => each.flush()));
  }
  const sums = await database.sql<
    Array<{ downloads: number }>
  >`select downloads from projects where id = any(${projects.map(({ id }) => id)})`;
  expect(sums.map(({ downloads }) => downloads)).toEqual([20, 20, 20, 20, 20]);
  expect(warnings).toEqual([]);
  await Promise.all(others.map((each) => each.close()));
});

test('buffers downloads while the database is down, within limits, and counts them later', async () => {
  const sql = connect({ address: database.address, database: database.name, max: 1 });
  const each = made(sql);
  const [{ pid } = { pid: 0 }] = await sql<Array<{ pid: number }>>`select pg_backend_pid() as pid`;
  await database.sql`alter table download_windows rename to download_windows_away`;
  for (let i = 0; i < 25_000; i++) each.count({ project_id: one.id, version_id: old.id, network: `n${i}` });
  await each.flush();
  expect(warnings).toHaveLength(1);
  expect(await counts()).toEqual([0, 0, 0]);
  await database.sql`alter table download_windows_away rename to download_windows`;
  await database.sql`select pg_terminate_backend(${pid})`;
  await expect
    .poll(async () => {
      await each.flush();
      return (await counts())[0];
    })
    .toBe(20_000);
  await each.close();
  await sql.end();
});

test('flushes on close', async () => {
  from('1.1.1.1');
  await counter.close();
  expect((await counts())[0]).toBe(1);
});

test('keeps what counted downloads said about themselves, without addresses', async () => {
  const { sql } = database;
  await sql`insert into game_versions ${sql({ version: '1.21-meta', version_type: 'release', date: now })}`;
  const kept = () => sql`
    select kind, version_id, loader, game_version, reason, dependent_id, country, source, domain,
      to_jsonb(u)::text as all from analytics_records u
    where project_id = ${one.id} order by dependent_id desc, reason desc`;
  const meta = {
    reason: 'update',
    game_version: '1.21-meta',
    loader: 'fabric',
    dependent_on: old.id,
  } as const;
  const download = { project_id: one.id, version_id: young.id };
  counter.count({ ...download, network: '9.9.9.1', meta });
  counter.count({
    ...download,
    network: '9.9.9.2',
    meta: { ...meta, game_version: '0', dependent_on: 'Nobody11' },
  });
  counter.count({ ...download, network: '9.9.9.3', meta: null });
  counter.count({ ...download, network: '9.9.9.4', meta: { game_version: '0' } });
  await counter.flush();
  const rows = await kept();
  const about = { kind: 'download', version_id: young.id };
  const alone = { loader: 'fabric', game_version: '1.20.1', country: 'XX', source: '', domain: '' };
  expect(rows).toMatchObject([
    { ...about, ...alone, game_version: '1.21-meta', reason: 'update', dependent_id: one.id },
    { ...about, ...alone, reason: 'update', dependent_id: '' },
    { ...about, ...alone, reason: '', dependent_id: '' },
    { ...about, ...alone, reason: '', dependent_id: '' },
  ]);
  expect(rows.map((row) => row.all).join()).not.toContain('9.9.9');
  expect((await counts())[0]).toBe(4);
});

test('earn money by the app for people who are signed in, if the project may', async () => {
  const { sql } = database;
  const person = await user(sql);
  const [good, old_token] = [
    await token(sql, person),
    await token(sql, person, 'all', new Date('2025-01-01')),
  ];
  const barred = await project(sql, { monetization_status: 'force-demonetized' });
  const its = await version(sql, barred);
  const load = (network: string, given: { token?: string; source?: string }, of = one, at = old) =>
    counter.count({ project_id: of.id, version_id: at.id, network, source: 'app', ...given });
  load('2.0.0.1', { token: good });
  load('2.0.0.2', { token: old_token });
  load('2.0.0.3', {});
  load('2.0.0.4', { token: good, source: 'prism' });
  load('2.0.0.5', { token: 'mrp_nobody' });
  load('2.0.0.6', { token: good }, barred, its);
  await counter.flush();
  const rows = await sql`
    select project_id, monetized, count(*)::int as count from analytics_records
    where project_id = any(${[one.id, barred.id]}) group by 1, 2 order by 2, 3`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { project_id: barred.id, monetized: false, count: 1 },
    { project_id: one.id, monetized: false, count: 4 },
    { project_id: one.id, monetized: true, count: 1 },
  ]);
});
