import { inOrderOfIds } from '../../platform/id.ts';
import { usersByKey } from '../../platform/people/read.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import type { User } from '../../platform/people/shape.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { ReadContext } from '../../platform/read-context.ts';
import { accessToThreads, type ViewedThread } from './access.ts';
import { type RuledMessage, shownAuthor, whyNotSeeThread } from './rules.ts';
import { limits, type Message, type Thread } from './shape.ts';

/**
 * The threads with these ids that the actor may see, in this order, each with its newest messages, oldest first. The
 * number of queries does not depend on the number of threads. Source: api-v2 §2.7, §10; api-behaviours §4, §8.
 */
export async function threadsByIds(
  context: ReadContext,
  ids: readonly string[],
  actor: Actor,
): Promise<Thread[]> {
  const found = await accessToThreads(context.sql, ids, actor);
  const visible = found.filter((thread) => whyNotSeeThread(thread, actor) === null);
  if (visible.length === 0) return [];
  const messages = await messagesOf(context.sql, visible, actor);
  const members = await membersOf(context, visible, messages, actor);
  const threads = visible.map(({ id, type, project_id, report_id }) => ({
    id,
    type,
    project_id,
    report_id,
    messages: messages.flatMap((row) => (row.thread_id === id ? [messageOf(row, actor)] : [])),
    members: members.get(id) ?? [],
  }));
  return inOrderOfIds(ids, threads);
}

/** The thread with this id, null when it does not exist or is hidden from the actor. */
export async function findThread(context: ReadContext, id: string, actor: Actor): Promise<Thread | null> {
  const [thread] = await threadsByIds(context, [id], actor);
  return thread ?? null;
}

/** Until when the user has read the thread; null when they never opened it. */
export async function readMark(
  db: Db,
  thread_id: string,
  { user_id }: Pick<Actor, 'user_id'>,
): Promise<string | null> {
  const [row] = await db<Array<{ read_at: string }>>`
    select read_at from thread_reads where thread_id = ${thread_id} and user_id = ${user_id}`;
  return row?.read_at ?? null;
}

interface MessageRow extends RuledMessage {
  id: string;
  thread_id: string;
  body: Record<string, unknown>;
  created: string;
  images: string[];
}

/** The newest messages of each thread within the limits, at least one each; private ones for moderators only. */
async function messagesOf(db: Db, threads: readonly ViewedThread[], actor: Actor): Promise<MessageRow[]> {
  const ids = threads.map(({ id }) => id);
  return await db<MessageRow[]>`
    select m.id, m.thread_id, m.author_id, m.type, m.body, m.private, m.hide_identity, m.created,
      array(select i.id::text from images i where i.thread_message_id = m.id order by i.created, i.id) as images
    from (
      select *, row_number() over newest as place, sum(octet_length(body::text)) over newest as bytes
      from thread_messages
      where thread_id = any(${ids}) ${isModerator(actor) ? db`` : db`and not private`}
      window newest as (partition by thread_id order by created desc, id desc)
    ) m
    where m.place = 1
      or (m.place <= ${limits.messages} and m.bytes <= ${Math.floor(limits.answer_bytes / ids.length)})
    order by m.thread_id, m.created, m.id`;
}

function messageOf(row: MessageRow, actor: Actor): Message {
  const { id, created, hide_identity } = row;
  return { id, author_id: shownAuthor(row, actor), body: bodyOf(row), created, hide_identity };
}

function bodyOf({ type, body, private: is_private, images }: MessageRow): Message['body'] {
  if (type === 'text')
    return { type, body: '', replying_to: null, ...body, private: is_private, associated_images: images };
  if (type === 'deleted') return { type, private: is_private };
  return { ...body, type } as Message['body'];
}

/** Maximum members in one answer. */
const max_members = 1000;

/** Joined members of the project and its organization, the reporter, and the visible authors of each thread. */
async function membersOf(
  context: ReadContext,
  threads: readonly ViewedThread[],
  messages: readonly MessageRow[],
  actor: Actor,
): Promise<Map<string, User[]>> {
  const ids = threads.map(({ id }) => id);
  const authors = messages.flatMap((row) => {
    const user_id = shownAuthor(row, actor);
    return user_id ? [{ thread_id: row.thread_id, user_id }] : [];
  });
  const members = await usersByKey(
    context,
    context.sql`
      (select t.id as key, m.user_id from threads t
      join projects p on p.id = t.project_id left join organizations o on o.id = p.organization
      join team_members m on m.team_id in (p.team, o.team_id) and m.accepted
      where t.id = any(${ids})
      union select r.thread_id, r.reporter from reports r where r.thread_id = any(${ids})
      union select d.thread_id, d.user_id from thread_members d where d.thread_id = any(${ids})
      order by key, user_id limit ${max_members})
      union select * from unnest(${authors.map(({ thread_id }) => thread_id)}::text[],
        ${authors.map(({ user_id }) => user_id)}::text[])`,
  );
  const byThread = Map.groupBy(members, ({ key }) => key);
  return new Map([...byThread].map(([id, list]) => [id, list.map(({ user }) => user)]));
}
