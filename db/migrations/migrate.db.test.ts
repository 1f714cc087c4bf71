import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connect, type Pool } from '../platform/postgres/sql.ts';
import { testDatabase } from '../testing/database.ts';
import { migrate, migrations, schema } from './migrate.ts';

const database = testDatabase();
/** The migrations that the schema replaced, as commit 9f9aeba7 ran them. */
const replaced = readFileSync(join(import.meta.dirname, 'testing/replaced.txt'), 'utf8')
  .trim()
  .split('\n');
const later = migrations()
  .map(({ name }) => name)
  .filter((name) => name !== schema.name);

describe('migrations', () => {
  it('have a number of their own, so that their order is clear', () => {
    const numbers = migrations().map(({ name }) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('migrate', () => {
  it('does nothing on a migrated database', async () => {
    expect(await migrate(database.sql)).toEqual([]);
  });

  it('runs every migration once when several processes start together', async () => {
    const [row] = await database.sql`select count(*)::int as ran from migrations`;
    await Promise.all([migrate(database.sql), migrate(database.sql)]);
    expect(row?.ran).toBe(migrations().length);
  });

  it('refuses a migration that was edited after it ran', async () => {
    await withDatabase(async (sql) => {
      await migrate(sql);
      await sql`update migrations set checksum = 'other' where name = '0309_tokens_end.sql'`;
      await expect(migrate(sql)).rejects.toThrow('0309_tokens_end.sql was edited');
    });
  });
});

describe('a database from before the schema was one file', () => {
  it('goes on with its rows, and is then as a new one', async () => {
    await withDatabase(async (sql) => {
      await makeOld(sql, replaced);
      await sql.unsafe(`
        insert into users (id, username, role) values ('User0001', 'Ann', 'admin');
        insert into tokens (id, user_id, name, token_hash, scopes, expires)
          values ('Tokn0001', 'User0001', 'ci', 'hash', 1, now() + interval '10 years');
        insert into teams (id) values ('Team0001');
        insert into projects (id, slug, team, title, description, status, approved, license_id, thread_id)
          values ('Proj0001', 'stones', 'Team0001', 'Stones', 'Piles', 'approved', now(), 'MIT+', 'Thrd0001')`);
      expect(await migrate(sql)).toEqual(later);
      const [row] = await sql`
        select u.username, u.staff_since is not null as staff, t.expires < now() + interval '1 year 2 days' as ends, p.license_id,
          p.first_public is not null as public, h.type as thread
        from users u join tokens t on t.user_id = u.id, projects p join threads h on h.project_id = p.id`;
      const expected = { username: 'Ann', staff: true, ends: true, license_id: 'MIT', public: true };
      expect(row).toEqual({ ...expected, thread: 'project' });
      expect(await shapeOf(sql)).toEqual(await shapeOf(database.sql));
      expect(await migrate(sql)).toEqual([]);
    });
  });

  it('is only marked when it ran the later migrations, too', async () => {
    await withDatabase(async (sql) => {
      await migrate(sql);
      await sql`update migrations set name = ${replaced[0]!} where name = ${schema.name}`;
      for (const name of replaced.slice(1)) await ran(sql, name);
      expect(await migrate(sql)).toEqual([]);
      const [row] = await sql`select count(*)::int as count from migrations`;
      expect(row?.count).toBe(replaced.length + migrations().length);
    });
  });

  it.each([replaced.slice(0, 60), replaced.slice(1), [...replaced, '0305_other.sql']])(
    'is refused when it ran only some of its migrations, or others',
    async (...names) => {
      await withDatabase(async (sql) => {
        await makeOld(sql, names);
        await expect(migrate(sql)).rejects.toThrow('Start commit 9f9aeba7');
      });
    },
  );
});

/** Runs `work` with an empty database. */
async function withDatabase(work: (sql: Pool) => Promise<void>): Promise<void> {
  const name = `${database.name}_other`;
  await database.sql.unsafe(`create database ${name} template template0`);
  const sql = connect({ address: database.address, database: name, max: 1 });
  try {
    await work(sql);
  } finally {
    await sql.end();
    await database.sql.unsafe(`drop database ${name} with (force)`);
  }
}

/** Makes what the migrations `names` made: the schema, and their rows. */
async function makeOld(sql: Pool, names: readonly string[]): Promise<void> {
  await sql`create table migrations (name text primary key, checksum text not null, ran timestamptz not null default now())`;
  await sql.unsafe(migrations().find(({ name }) => name === schema.name)!.text);
  for (const name of names) await ran(sql, name);
}

const ran = (sql: Pool, name: string) =>
  sql`insert into migrations (name, checksum) values (${name}, 'of that time')`;

/** Columns, constraints, indexes, triggers and functions. */
const shapeOf = (sql: Pool) => sql`
  select a.attrelid::regclass::text as part, a.attname::text as name, format_type(a.atttypid, a.atttypmod) || a.attnotnull as is
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
  union all select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) from pg_constraint
  where connamespace = 'public'::regnamespace
  union all select tablename::text, indexname::text, indexdef from pg_indexes where schemaname = 'public'
  union all select tgrelid::regclass::text, tgname::text, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select 'function', proname::text, prosrc from pg_proc where pronamespace = 'public'::regnamespace
  order by 1, 2, 3`;
