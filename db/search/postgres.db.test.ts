import { describe, expect, it } from 'vitest';
import { testDatabase } from '../test-database.ts';
import { searchContract } from './contract.ts';
import { postgresEngine } from './postgres.ts';

const database = testDatabase();

describe('the Postgres engine', () => {
  searchContract(() => postgresEngine(database.sql));

  it('keeps no named statement for a filter', async () => {
    const engine = postgresEngine(database.sql);
    const count = async () =>
      (await database.sql`select 1 from pg_prepared_statements where statement like '%search_documents%'`)
        .length;
    const before = await count();
    for (let n = 1; n <= 20; n++)
      await engine.search({
        text: n % 2 ? '' : 'lantern',
        filter: {
          or: Array.from({ length: n }, (_, i) => ({
            not: { key: 'downloads', op: '>' as const, value: i },
          })),
        },
        sort: 'relevance',
        offset: 0,
        limit: 10,
      });
    expect((await count()) - before).toBeLessThan(12);
  });
});
