import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { testDatabase } from './db/testing/database.ts';

const database = testDatabase();

/** Names in the first column of the table. */
function documented(): string[] {
  const text = readFileSync(new URL('./docs/tables.md', import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (\w+) \| \S/gm)].map(([, name]) => name!).filter((name) => name !== 'table');
}

describe('docs/tables.md', () => {
  it('names every table of the database, in order, and no other', async () => {
    const rows = await database.sql`
      select table_name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name !~ '^analytics_.*_[0-9]{8}$' order by table_name collate "C"`;
    expect(documented()).toEqual(rows.map(({ table_name }) => table_name));
  });
});
