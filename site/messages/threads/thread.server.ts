import type { Status } from '#db/catalogue/projects/rules.ts';
import { findThread, readMark } from '#db/messages/threads/read.ts';
import type { Message, Thread } from '#db/messages/threads/shape.ts';
import { markRead } from '#db/messages/threads/write.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { isModerator } from '#db/platform/people/rules.ts';
import type { AppServices } from '../../platform/context.ts';
import { messageHtml } from './rendered-message.server.ts';

/** Who wrote a message, as the viewer may know it: a user, the moderators as such, or the site itself. */
export type MessageAuthor =
  | { kind: 'user'; username: string; avatar_url: string | null; is_staff: boolean }
  | { kind: 'staff' }
  | { kind: 'site' };

/** A message as a page shows it. */
interface ShownMessage {
  id: string;
  created: string;
  author: MessageAuthor;
  content:
    | { kind: 'text'; html: string; is_private: boolean; may_delete: boolean }
    | { kind: 'status_change'; from: Status; to: Status }
    | { kind: 'closed' | 'reopened' | 'deleted' };
}

/** A thread as a page shows it, oldest message first. */
export interface ShownThread {
  id: string;
  messages: ShownMessage[];
  /** Whether older messages are left out. */
  is_cut: boolean;
  /** The first message by others since the viewer was here; null when there is none, and on the first visit. */
  first_new: string | null;
}

/** A page renders so many messages at most; older ones are in the API. */
const most_shown = 100;

/** The thread with this id and what the actor sees of it, which they have read now; null when it is hidden from them. */
export async function loadThread(
  services: AppServices,
  thread_id: string,
  actor: Actor,
  now: Date,
): Promise<ShownThread | null> {
  const thread = await findThread(services, thread_id, actor);
  if (!thread) return null;
  const read_at = await readMark(services.sql, thread_id, actor);
  await markRead(services.sql, actor, thread_id, now);
  const messages = thread.messages.slice(-most_shown);
  const isNew = ({ created, author_id }: Message) =>
    read_at !== null && new Date(created) > new Date(read_at) && author_id !== actor.user_id;
  return {
    id: thread.id,
    messages: await Promise.all(messages.map((message) => shown(services, thread, message, actor))),
    is_cut: thread.messages.length > most_shown,
    first_new: messages.find(isNew)?.id ?? null,
  };
}

async function shown(
  { renderer }: AppServices,
  { members }: Thread,
  { id, author_id, body, created, hide_identity }: Message,
  actor: Actor,
): Promise<ShownMessage> {
  const user = members.find((member) => member.id === author_id);
  const author: MessageAuthor = user
    ? { kind: 'user', username: user.username, avatar_url: user.avatar_url, is_staff: hide_identity }
    : { kind: hide_identity ? 'staff' : 'site' };
  return { id, created, author, content: await content() };

  async function content(): Promise<ShownMessage['content']> {
    if (body.type === 'status_change')
      return { kind: body.type, from: body.old_status as Status, to: body.new_status as Status };
    if (body.type === 'thread_closure') return { kind: 'closed' };
    if (body.type === 'thread_reopen') return { kind: 'reopened' };
    if (body.type === 'deleted') return { kind: 'deleted' };
    return {
      kind: 'text',
      html: await messageHtml(renderer, { id, source: body.body, account: author_id }),
      is_private: body.private,
      may_delete: author_id === actor.user_id || isModerator(actor),
    };
  }
}
