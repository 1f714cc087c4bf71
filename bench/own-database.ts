import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#db/migrations/migrate.ts';
import { startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { connect, type Pool } from '#db/platform/postgres/sql.ts';

/** Runs a benchmark in a migrated Postgres of its own, in a temporary folder that is removed afterwards. */
export async function inOwnDatabase(
  name: string,
  run: (sql: Pool, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `cairn-bench-${name}-`));
  const postgres = await startPostgres(folder);
  const sql = connect({ address: postgres.address, max: 4 });
  try {
    await migrate(sql);
    await run(sql, folder);
  } finally {
    await sql.end({ timeout: 1 });
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
