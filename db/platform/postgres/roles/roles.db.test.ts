import { beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../../testing/database.ts';
import type { Pool } from '../sql.ts';
import { applyGrants } from './apply.ts';
import { type DatabaseRole, databaseRoles, formerGrants, tableGrants } from './grants.ts';

const database = testDatabase();
// what a role may do with a database as a whole is no part of its copy
beforeAll(async () => void (await applyGrants(database.sql)));

/** What Postgres answers to `run` as this role: its error code, or `allowed`. Nothing of it stays. */
async function as(role: DatabaseRole, run: (sql: Pool) => PromiseLike<unknown>): Promise<string> {
  const undone = new Error('undone');
  return await database.sql
    .begin(async (tx) => {
      await tx`set local role ${tx(role)}`;
      await run(tx as unknown as Pool);
      throw undone;
    })
    .then(String, (error) => (error === undone ? 'allowed' : (error.code as string)));
}

const denied = '42501';

describe('the list of privileges', () => {
  it('has every table and view, in order, and no other', async () => {
    const rows = await database.sql<{ name: string }[]>`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v') and relname !~ '^analytics_.*_[0-9]{8}$'`;
    const sorted = rows.map(({ name }) => name).sort();
    expect(
      sorted.filter((name) => !(name in formerGrants)),
      'add new tables to db/platform/postgres/roles/grants.ts',
    ).toEqual(Object.keys(tableGrants));
    expect(sorted).toEqual(expect.arrayContaining(Object.keys(formerGrants)));
  });

  it.each(databaseRoles)('is what %s may do with each table, and nothing else', async (role) => {
    const rows = await database.sql<{ name: string; letters: string }[]>`
      select relname as name, concat(
        case when has_table_privilege(${role}, oid, 'select') then 'r' end,
        case when has_table_privilege(${role}, oid, 'insert') then 'a' end,
        case when has_table_privilege(${role}, oid, 'update') then 'w' end,
        case when has_table_privilege(${role}, oid, 'delete') then 'd' end,
        case when has_table_privilege(${role}, oid, 'truncate') then 'D' end,
        case when has_table_privilege(${role}, oid, 'maintain') then 'm' end,
        case when has_table_privilege(${role}, oid, 'references, trigger') then 'x' end) as letters
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v')`;
    const listed = (name: string) =>
      ({ ...tableGrants, ...formerGrants })[name]?.[databaseRoles.indexOf(role) as 0 | 1] ?? '';
    expect(rows.filter(({ name, letters }) => letters !== listed(name))).toEqual([]);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('is restored where somebody granted more or less, and says which table it lacks', async () => {
    const { sql } = database;
    await sql`grant delete on audit_log to cairn_site`;
    await sql`revoke insert on events from cairn_site`;
    await sql`create table nameless (id int)`;
    expect(await applyGrants(sql)).toEqual({ unlisted: ['public.nameless'] });
    const [now] = await sql`
      select has_table_privilege('cairn_site', 'audit_log', 'delete') as more,
        has_table_privilege('cairn_site', 'events', 'insert') as fewer`;
    expect(now).toEqual({ more: false, fewer: true });
    expect(await as('cairn_site', (tx) => tx`select from nameless`)).toBe(denied);
    await sql`drop table nameless`;
  });
});

describe.each(databaseRoles)('%s', (role) => {
  it('is no superuser, has no attribute and is member of nothing', async () => {
    const rows = await database.sql`
      select rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as attributes, rolcanlogin,
        exists (select from pg_auth_members where member = r.oid) as member
      from pg_roles r where rolname = ${role}`;
    expect(rows).toEqual([{ attributes: false, rolcanlogin: true, member: false }]);
  });

  it('owns nothing', async () => {
    const [{ owned }] = await database.sql<[{ owned: number }]>`
      select count(*)::int as owned from pg_shdepend
      where deptype = 'o' and refobjid = ${role}::regrole`;
    expect(owned).toBe(0);
  });

  it('creates nothing but temporary tables, and these only where revenue is shared', async () => {
    expect(await as(role, (tx) => tx`create table own (id int)`)).toBe(denied);
    expect(await as(role, (tx) => tx`create schema own`)).toBe(denied);
    expect(await as(role, (tx) => tx`create function own() returns int language sql as 'select 1'`)).toBe(
      denied,
    );
    expect(await as(role, (tx) => tx`create role own`)).toBe(denied);
    expect(await as(role, (tx) => tx`create extension dblink`)).toBe(denied);
    const temporary = role === 'cairn_plane' ? 'allowed' : denied;
    expect(await as(role, (tx) => tx`create temp table own (id int)`)).toBe(temporary);
  });

  it('reaches neither files nor programs nor settings of the server', async () => {
    expect(await as(role, (tx) => tx`copy (select 1) to program 'true'`)).toBe(denied);
    expect(await as(role, (tx) => tx`copy events from program 'true'`)).toBe(denied);
    expect(await as(role, (tx) => tx`copy (select 1) to '/tmp/own'`)).toBe(denied);
    expect(await as(role, (tx) => tx`select pg_read_file('/etc/passwd')`)).toBe(denied);
    expect(await as(role, (tx) => tx`select pg_ls_dir('/')`)).toBe(denied);
    expect(await as(role, (tx) => tx`select lo_import('/etc/passwd')`)).toBe(denied);
    expect(await as(role, (tx) => tx`select * from pg_authid`)).toBe(denied);
    expect(await as(role, (tx) => tx`set session_replication_role = replica`)).toBe(denied);
    expect(await as(role, (tx) => tx`alter table ledger_entries disable trigger all`)).toBe(denied);
    expect(
      await as(
        role,
        (tx) => tx`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'`,
      ),
    ).toBe(denied);
  });

  it('does not change what its process only reads', async () => {
    expect(await as(role, (tx) => tx`update migrations set checksum = ''`)).toBe(denied);
    expect(await as(role, (tx) => tx`delete from ledger_entries`)).toBe(denied);
    expect(await as(role, (tx) => tx`update secrets set key = ''`)).toBe(denied);
    expect(await as(role, (tx) => tx`insert into kept_names (kind, name) values ('user', 'x')`)).toBe(denied);
  });
});

it('lets the site read no password of backups, write no audit log and delete no entry of the security log', async () => {
  expect(await as('cairn_site', (tx) => tx`select from backup_passwords`)).toBe(denied);
  expect(await as('cairn_site', (tx) => tx`delete from audit_log`)).toBe(denied);
  expect(await as('cairn_site', (tx) => tx`delete from security_events`)).toBe(denied);
  expect(await as('cairn_plane', (tx) => tx`delete from security_events`)).toBe('allowed');
});

describe('functions with the rights of the owner', () => {
  it('are called by their roles only, and look nothing up in temporary tables', async () => {
    const rows = await database.sql<{ name: string; callers: string; config: string[] }[]>`
      select proname as name, proconfig as config, concat_ws(' ',
        case when has_function_privilege('cairn_site', oid, 'execute') then 'site' end,
        case when has_function_privilege('cairn_plane', oid, 'execute') then 'plane' end) as callers
      from pg_proc where pronamespace = 'public'::regnamespace and prosecdef order by 1`;
    for (const { name, config } of rows) expect(config, name).toEqual(['search_path=public, pg_temp']);
    const triggers = await database.sql<{ name: string }[]>`
      select proname as name from pg_proc where prorettype = 'trigger'::regtype and pronamespace = 'public'::regnamespace`;
    const isTrigger = new Set(triggers.map(({ name }) => name));
    expect(
      rows.filter(({ name }) => !isTrigger.has(name)).map(({ name, callers }) => `${name}: ${callers}`),
    ).toEqual(['analytics_partitions: site plane', 'drop_analytics_partition: plane']);
  });

  it('are all triggers that touch other tables', async () => {
    const rows = await database.sql<{ name: string; text: string }[]>`
      select proname as name, prosrc as text from pg_proc
      where prorettype = 'trigger'::regtype and pronamespace = 'public'::regnamespace and not prosecdef`;
    const touching = rows.filter(({ text }) =>
      /\b(from|into|update)\s+\w/i.test(text.replaceAll(/is (not )?distinct from/g, '')),
    );
    // these read what both processes may read, and write nothing else
    expect(touching.map(({ name }) => name).sort()).toEqual([
      'ledger_balanced',
      'ledger_entry_created',
      'projects_revise',
    ]);
  });

  it('make and drop partitions of analytics, and nothing else', async () => {
    const makes = (tx: Pool) =>
      tx`select analytics_partitions('analytics_records', '2020-01-01', '2020-01-02')`;
    expect(await as('cairn_site', makes)).toBe('allowed');
    const drops = async (tx: Pool) => {
      await makes(tx);
      await tx`select drop_analytics_partition('analytics_records_20200101')`;
    };
    expect(await as('cairn_plane', drops)).toBe('allowed');
    expect(await as('cairn_plane', (tx) => tx`select drop_analytics_partition('audit_log')`)).toBe('22023');
    expect(
      await as('cairn_plane', (tx) => tx`select analytics_partitions('users', '2020-01-01', '2020-01-02')`),
    ).toBe('22023');
  });
});
