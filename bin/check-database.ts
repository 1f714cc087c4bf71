import { socketConnection } from '#db/platform/postgres/connection.ts';
import { postgresVersion } from '#db/platform/postgres/postgres-version.ts';
import { connect } from '#db/platform/postgres/sql.ts';
import { UserError } from './user-error.ts';

const oldest = 150000;

/** Ends the start with one line, without the password, when the database at `address` cannot be used. */
export async function checkDatabase(address: string): Promise<void> {
  const sql = connect({ address, max: 1 });
  try {
    const version = await Promise.race([
      postgresVersion(sql),
      new Promise<never>((_, fail) => setTimeout(fail, 10_000, new Error('no answer within 10 s')).unref()),
    ]);
    if (version.number < oldest)
      throw new Error(`it is Postgres ${version.text}, and ${oldest / 10_000} or newer is needed`);
  } catch (error) {
    throw new UserError(`The database at ${hostOf(address)} cannot be used: ${reasonOf(error)}.`);
  } finally {
    sql.end({ timeout: 0 }).catch(() => {});
  }
}

/** Host, port and name of a database, without user and password. */
export function hostOf(address: string): string {
  const socket = socketConnection(address);
  if (socket) return socket.folder;
  const { host, pathname } = new URL(address);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
}
