import { afterAll, beforeAll, inject } from 'vitest';
import { randomText } from '../id.ts';
import { parseSettings, type Settings } from '../runtime/env.ts';
import { connect, type Pool } from '../sql.ts';

interface TestDatabase {
  sql: Pool;
  address: string;
  name: string;
  /** The default settings. */
  settings: Settings;
}

/**
 * A separate database for this test file, cloned from the migrated template (files named `*.db.test.ts`). `const
 * database = testDatabase();` at the top; `database.sql` inside tests, or `database` where a `ReadContext` is needed.
 */
export function testDatabase(): TestDatabase {
  const made = {
    name: `test_${randomText(8).toLowerCase()}`,
    settings: parseSettings({}),
  } as TestDatabase;
  const admin = () => connect({ address: made.address, database: 'postgres', max: 1 });
  beforeAll(async () => {
    made.address = inject('postgres')[Number(process.env.VITEST_POOL_ID) - 1]!;
    const sql = admin();
    await sql`select pg_advisory_lock(1)`; // one clone at a time: Postgres allows no other session on the template
    // a tenth of the time that copying by the log takes
    await sql.unsafe(`create database ${made.name} template cairn strategy file_copy`);
    await sql.end();
    made.sql = connect({ address: made.address, database: made.name, max: 4 });
  });
  afterAll(async () => {
    await made.sql?.end();
    const sql = admin();
    await sql.unsafe(`drop database if exists ${made.name} with (force)`);
    await sql.end();
  });
  return made;
}
