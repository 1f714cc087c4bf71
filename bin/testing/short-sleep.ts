import type { Pool } from '#db/platform/postgres/sql.ts';

/** Lets servers of this database sleep after seconds: owners may choose five minutes at least, which no test waits for. */
export async function allowShortSleep(sql: Pool): Promise<void> {
  await sql`alter table servers drop constraint servers_sleep_after_minutes_check`;
  await sql`alter table servers alter column sleep_after_minutes type real`;
}

/** What pings show of a server that sleeps by `letSleep`. */
export const short_motd = 'Shh, it sleeps';

/** A server sleeps as soon as it is seen to be empty. */
export const letSleep = (sql: Pool, server_id: string) => sql`
  update servers set sleep_after_minutes = 0.02, sleep_motd = ${short_motd}, generation = generation + 1
  where id = ${server_id}`;
