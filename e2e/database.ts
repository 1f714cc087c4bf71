import { embeddedPostgresAddress } from '../db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '../db/platform/postgres/sql.ts';
import { dataFolder } from './product.ts';

/** The socket folder of the database of the product under test. */
export const databaseAddress = (): string => embeddedPostgresAddress(dataFolder);

/** Runs `work` on the database of the product under test: for what no page and no command can bring about. */
export async function withDatabase<T>(work: (sql: Pool) => Promise<T>): Promise<T> {
  const sql = connect({ address: databaseAddress(), max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
