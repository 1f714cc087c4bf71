import { describe, expect, it, vi } from 'vitest';
import { connect } from '../../../platform/postgres/sql.ts';
import { testDatabase } from '../../../testing/database.ts';
import { countContract } from '../testing/contract/counts.ts';
import { textContract } from '../testing/contract/text.ts';
import { searchContract } from '../testing/contract.ts';
import { postgresEngine } from './engine.ts';

const database = testDatabase();

describe('the Postgres engine', () => {
  searchContract(() => postgresEngine(database.sql));
  textContract(() => postgresEngine(database.sql));
  countContract(() => postgresEngine(database.sql));

  it('creates no prepared statement for a filter', async () => {
    const sql = connect({ address: database.address, database: database.name, max: 1 });
    const engine = postgresEngine(sql);
    const named = async () =>
      (await sql`select from pg_prepared_statements where statement like '%search_documents d%'`).length;
    const request = async (n: number) => {
      const leaves = Array.from({ length: n }, (_, i) => ({ key: 'downloads', op: '>' as const, value: i }));
      for (const text of ['', 'lantern'])
        await engine.search({ text, filter: { or: leaves }, sort: 'relevance', offset: 0, limit: 10 });
    };
    await request(1);
    const before = await named();
    for (let n = 2; n <= 12; n++) await request(n);
    expect(await named()).toBe(before);
    await sql.end();
  });

  it('refuses as busy when Postgres takes too long for a filter', async () => {
    const { sql } = database;
    await sql.begin(async (tx) => {
      await tx`lock table search_documents in access exclusive mode`;
      const query = { text: '', filter: null, sort: 'downloads' as const, offset: 0, limit: 10 };
      await expect(postgresEngine(sql).search(query)).rejects.toMatchObject({ code: 'busy', status: 503 });
    });
  });

  it('reports its size after the first status request', async () => {
    const engine = postgresEngine(database.sql);
    await engine.rebuild((async function* () {})());
    await vi.waitFor(() => expect(engine.status()).toMatchObject({ ready: true, documents: 0 }), {
      timeout: 20_000,
    });
    expect(engine.status().bytes).toBeGreaterThan(0);
  });
});
