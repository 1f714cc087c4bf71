import type { Db } from '../../../platform/postgres/sql.ts';

/**
 * Tells all control planes, this one too, who has a panel open at one of them: what is told is gone then, nothing is stored.
 * `text` has at most 7,900 bytes.
 */
export async function announcePresence(db: Db, text: string): Promise<void> {
  await db`select pg_notify('hosting', ${`presence:${text}`})`;
}
