import { describe, expect, it } from 'vitest';
import { testDatabase } from '../testing/database.ts';
import { migrate, migrations } from './migrate.ts';

const database = testDatabase();

/** These two were written at the same time; they do not depend on each other, and both ran under their names. */
const twins = ['0146_followers.sql', '0146_ghost.sql'];

describe('migrations', () => {
  it('have a number of their own, so that their order is clear', () => {
    const byNumber = Map.groupBy(migrations(), ({ name }) => name.slice(0, 4));
    const shared = [...byNumber.values()].filter(({ length }) => length > 1);
    expect(shared.map((list) => list.map(({ name }) => name))).toEqual([twins]);
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
    await database.sql`update migrations set checksum = 'other' where name = '0001_people.sql'`;
    await expect(migrate(database.sql)).rejects.toThrow('0001_people.sql was edited');
  });
});
