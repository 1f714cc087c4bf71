import { accessToThreads } from '../../messages/threads/access.ts';
import { whyNotSeeThread } from '../../messages/threads/rules.ts';
import type { RefusalCode } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type Status, statusTraits } from '../projects/rules.ts';

/**
 * Why a reply from a screen has to be confirmed first: nobody watches the thread of a project that is approved. Says
 * nothing about threads that the actor may not see. Source: screens §A.4 (moderation tab).
 */
export async function whyNotReplyUnwatched(
  db: Db,
  thread_id: string,
  actor: Actor,
): Promise<RefusalCode | null> {
  const [thread] = await accessToThreads(db, [thread_id], actor);
  if (!thread?.project_id || whyNotSeeThread(thread, actor) !== null) return null;
  const [row] = await db<Array<{ status: Status }>>`
    select status from projects where id = ${thread.project_id}`;
  return row && statusTraits[row.status].approved && actor.role === 'developer' ? 'reply_unwatched' : null;
}
