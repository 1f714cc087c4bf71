import type { Db } from '../postgres/sql.ts';

/** Where else a user is found: https addresses, in the user's order, at most 3. */
export async function linksOf(db: Db, user_id: string): Promise<string[]> {
  const [row] = await db<Array<{ links: string[] }>>`select links from users where id = ${user_id}`;
  return row?.links ?? [];
}
