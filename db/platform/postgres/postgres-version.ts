import type { Db } from './sql.ts';

/** Version of the database server: `number` as in `server_version_num` (150000 is 15.0), `text` for display. */
export async function postgresVersion(db: Db): Promise<{ number: number; text: string }> {
  const [row] = await db<Array<{ number: number; text: string }>>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as text`;
  return row!;
}
