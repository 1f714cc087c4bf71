import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { accessToThreads } from './access.ts';
import { type RuledMessage, whyNotDeleteMessage } from './rules.ts';

/**
 * Deletes a message: its place in the thread says so, its images are removed. Refuses `not_found` (hidden ones too),
 * `not_yours`, `message_not_text`. Source: api-v2 §10; api-behaviours §8, §17 (23).
 */
export async function removeMessage(tx: Db, actor: Actor, message_id: string): Promise<void> {
  const [message] = await tx<Array<RuledMessage & { thread_id: string }>>`
    select thread_id, type, author_id, private, hide_identity from thread_messages
    where id = ${message_id} for no key update`;
  const [thread] = message ? await accessToThreads(tx, [message.thread_id], actor) : [];
  if (!message || !thread) throw new Refused('not_found');
  assertAllowed(whyNotDeleteMessage(thread, message, actor));
  if (message.type === 'deleted') return;
  await tx`update thread_messages set type = 'deleted', body = '{}' where id = ${message_id}`;
  await tx`delete from images where thread_message_id = ${message_id}`;
  await recordEvent(tx, {
    name: 'thread.message_deleted',
    actor_id: actor.user_id,
    thread_id: thread.id,
    project_id: thread.project_id,
    report_id: thread.report_id,
    data: { message_id },
  });
}
