import type { RefusalCode } from '../errors.ts';
import type { Db } from '../postgres/sql.ts';

/**
 * Why a name cannot be had since it looks like that of another account than `own_id`, or null: `username_confusable`. Names
 * that look alike have one skeleton (`username_skeleton` of the migrations, after Unicode UTS #39); accounts that have it
 * already keep theirs. In a transaction, of simultaneous callers with one skeleton the others wait. Source: api-behaviours §12.
 */
export async function whyNotLookAlike(
  db: Db,
  username: string,
  own_id: string | null = null,
): Promise<RefusalCode | null> {
  if (username.includes('\0')) return null; // refused by its characters
  await db`select pg_advisory_xact_lock(hashtextextended('username ' || username_skeleton(${username}), 0))`;
  const [other] = await db`
    select 1 from users where skeleton = username_skeleton(${username}) and id is distinct from ${own_id} limit 1`;
  return other ? 'username_confusable' : null;
}
