import type { Db } from './sql.ts';

/** The version of the database server: `number` as Postgres compares it (150000 is 15.0), `text` for people. */
export async function postgresVersion(db: Db): Promise<{ number: number; text: string }> {
  const [row] = await db<Array<{ number: number; text: string }>>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`;
  return row!;
}
