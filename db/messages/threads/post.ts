import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { claimImages, keepImagesOf } from '../images/claim.ts';
import { notify } from '../notifications/write.ts';
import { accessToThreads, type ViewedThread } from './access.ts';
import { whyNotPostMessage, whyNotSeeMessage } from './rules.ts';
import type { NewText } from './shape.ts';
import { addMessage, markRead } from './write.ts';

/**
 * Posts a message, as a moderator without a name, and notifies who waits for it; gives its id. Refuses `not_found`
 * (hidden threads too), `not_a_member`, `message_private`, `report_closed`, `message_unknown`, `image_unknown`,
 * `image_used`. Source: api-v2 §10; api-behaviours §8, §17 (23).
 */
export async function postMessage(
  tx: Db,
  actor: Actor,
  thread_id: string,
  { body, private: given, replying_to = null, associated_images }: NewText,
  now: Date,
): Promise<string> {
  const is_private = given ?? false;
  await tx`select 1 from reports where thread_id = ${thread_id} for share`; // it stays open until the commit
  const [thread] = await accessToThreads(tx, [thread_id], actor);
  if (!thread) throw new Refused('not_found');
  assertAllowed(whyNotPostMessage(thread, { private: is_private }, actor));
  if (replying_to) await assertInThread(tx, actor, thread_id, replying_to);
  const message = {
    type: 'text' as const,
    body: { body, replying_to },
    author_id: actor.user_id,
    private: is_private,
    hide_identity: isModerator(actor),
  };
  const message_id = await addMessage(tx, thread_id, message, now);
  const target = { context: 'thread_message', id: message_id } as const;
  await claimImages(tx, actor, associated_images, target);
  await keepImagesOf(tx, actor, target, body); // those that only the text names
  if (!is_private) await notifyReaders(tx, actor, thread, message_id);
  await markRead(tx, actor, thread_id, now);
  await recordEvent(tx, {
    name: 'thread.written',
    actor_id: actor.user_id,
    thread_id,
    project_id: thread.project_id,
    report_id: thread.report_id,
    data: { message_id },
  });
  return message_id;
}

async function assertInThread(tx: Db, actor: Actor, thread_id: string, message_id: string): Promise<void> {
  const [message] = await tx<Array<{ private: boolean }>>`
    select private from thread_messages where id = ${message_id} and thread_id = ${thread_id} for key share`;
  if (!message || whyNotSeeMessage(message, actor)) throw new Refused('message_unknown');
}

/** The team of a project hears of its moderators, a reporter of anyone else. Source: api-behaviours §8. */
async function notifyReaders(
  tx: Db,
  actor: Actor,
  { id, type, project_id, report_id }: ViewedThread,
  message_id: string,
): Promise<void> {
  if (type === 'direct_message' || (type === 'project' && !isModerator(actor))) return;
  const readers =
    type === 'project'
      ? await tx<Array<{ user_id: string }>>`
          select m.user_id from team_members m join projects p on p.team = m.team_id
          where p.id = ${project_id} and p.status <> 'processing'`
      : await tx<Array<{ user_id: string }>>`select reporter as user_id from reports where id = ${report_id}`;
  await notify(
    tx,
    readers.flatMap(({ user_id }) => (user_id === actor.user_id ? [] : [user_id])),
    { type: 'moderator_message', body: { thread_id: id, message_id, project_id, report_id } },
    `thread:${id}`,
  );
}
