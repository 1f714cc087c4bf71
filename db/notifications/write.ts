import { newId } from '../id.ts';
import type { Db } from '../sql.ts';
import type { NewNotification } from './rules.ts';

/**
 * Writes one notification for each of the users, in the caller's transaction. `group_key`: notifications of a user with
 * the same key are displayed as one group, such as the updates of one project.
 */
export async function notify(
  tx: Db,
  user_ids: readonly string[],
  { type, body }: NewNotification,
  group_key: string | null = null,
): Promise<void> {
  if (user_ids.length === 0) return;
  const rows = [...new Set(user_ids)].map((user_id) => ({
    id: newId(),
    user_id,
    type,
    body: tx.json(body as never),
    group_key,
  }));
  await tx`insert into notifications ${tx(rows as never)}`;
}
