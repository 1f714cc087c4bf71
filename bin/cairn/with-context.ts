import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type AppContext, openContext } from '#db/context.ts';
import { migrate } from '#db/migrations/migrate.ts';
import { embeddedPostgresAddress, startPostgres } from '#db/platform/postgres/embedded-postgres.ts';
import { processRole } from '#db/platform/postgres/roles/sessions.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { parseSettings, type Settings } from '#db/platform/runtime/env.ts';
import { databaseAddress } from '#db/platform/runtime/settings/data.ts';
import { checkDatabase } from '../check-database.ts';
import { checkFolder } from '../preflight.ts';
import { acquireRunLock } from '../run-lock.ts';
import { UserError } from '../user-error.ts';

/**
 * Runs `work` with this installation's context: the database of DATABASE_URL, the embedded one of the running product,
 * or that one started for the duration of the command, with its schema migrated unless the work `migrates` itself. Ends
 * with one line when there is none.
 */
export async function withContext<T>(
  work: (record: AppContext) => Promise<T>,
  { migrates = false } = {},
): Promise<T> {
  const given = parseSettings({ LOG_LEVEL: 'warn', ...process.env });
  const used = databaseAddress(given) ? null : await reachDatabase(given);
  if (used) process.env.DATABASE_SOCKET = used.address;
  try {
    const settings = parseSettings({ LOG_LEVEL: 'warn', ...process.env });
    await checkDatabase(databaseAddress(settings)!);
    const record = openContext(settings, 'command', { connections: 4 });
    try {
      await assertOwner(record.sql);
      if (used?.own && !migrates) await migrate(record.sql);
      return await work(record);
    } finally {
      await record.close();
    }
  } finally {
    await used?.close();
  }
}

/** Ends a command that runs where a process does, as in its container, with that process's role. */
async function assertOwner(sql: Pool): Promise<void> {
  const role = await processRole(sql);
  if (role)
    throw new UserError(
      `Commands need the owner of the database, and this is ${role}. With Docker Compose: docker compose run --rm cairn ...`,
    );
}

interface UsedDatabase {
  address: string;
  /** Whether this command started the server. */
  own: boolean;
  close(): Promise<void>;
}

/** The embedded server of the running product, else our own under the product's lock. */
async function reachDatabase({ DATA_DIR }: Settings): Promise<UsedDatabase> {
  const address = embeddedPostgresAddress(DATA_DIR);
  if (existsSync(join(address, '.s.PGSQL.5432')) && (await answers(address)))
    return { address, own: false, close: async () => {} };
  checkFolder(DATA_DIR, !existsSync(join(DATA_DIR, 'objects')));
  const run = await acquireRunLock(DATA_DIR);
  console.error('Cairn is not running: starting its database for this command.');
  const server = await startPostgres(DATA_DIR);
  return {
    address: server.address,
    own: true,
    close: async () => {
      await server.stop();
      run.release();
    },
  };
}

const answers = (address: string): Promise<boolean> =>
  checkDatabase(address).then(
    () => true,
    () => false,
  );
