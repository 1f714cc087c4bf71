import { afterAll, beforeAll, inject } from 'vitest';
import { randomText } from '../platform/id.ts';
import { connect, type Pool } from '../platform/postgres/sql.ts';
import { parseSettings, type Settings } from '../platform/runtime/env.ts';

/** What a database starts with: the schema and the tags, or the demo content as well (page tests only). */
type Template = 'cairn' | 'demo';

export interface TestDatabase {
  sql: Pool;
  address: string;
  name: string;
  template: Template;
  /** The default settings. */
  settings: Settings;
}

/**
 * A separate database for this test file, cloned from the migrated template (files named `*.db.test.ts`). `const
 * database = testDatabase();` at the top; `database.sql` inside tests, or `database` where a `ReadContext` is needed.
 */
export function testDatabase(template: Template = 'cairn'): TestDatabase {
  const made = { settings: parseSettings({}) } as TestDatabase;
  beforeAll(async () => {
    Object.assign(made, await cloneDatabase(template));
  });
  afterAll(async () => {
    await made.sql?.end();
    const sql = connect({ address: made.address, database: 'postgres', max: 1 });
    await sql.unsafe(`drop database if exists ${made.name} with (force)`);
    await sql.end();
  });
  return made;
}

/** A new copy of a template in the Postgres server of this worker; whoever calls closes the pool. */
export async function cloneDatabase(template: Template): Promise<Omit<TestDatabase, 'settings'>> {
  const address = inject('postgres')[Number(process.env.VITEST_POOL_ID) - 1]!;
  const name = `test_${randomText(8).toLowerCase()}`;
  const admin = connect({ address, database: 'postgres', max: 1 });
  await admin`select pg_advisory_lock(1)`; // one clone at a time: Postgres allows no other session on the template
  // a tenth of the time that copying by the log takes
  await admin.unsafe(`create database ${name} template ${template} strategy file_copy`);
  await admin.end();
  return { address, name, template, sql: connect({ address, database: name, max: 4 }) };
}
