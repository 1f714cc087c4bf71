import { describe, expect, it } from 'vitest';
import { migrate, migrations } from './migrate.ts';
import { testDatabase } from './testing/database.ts';

const database = testDatabase();

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
    await database.sql`update migrations set checksum = 'other' where name = '0001_people.sql'`;
    await expect(migrate(database.sql)).rejects.toThrow('0001_people.sql was edited');
  });
});
