import { newId } from '../../platform/id.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** A message of a thread, by the tag of its body. Source: api-v2 §2.7; api-v3 §2.7. */
export type NewMessage = { author_id: string | null; private?: boolean; hide_identity?: boolean } & (
  | { type: 'text'; body: { body: string; replying_to: string | null } }
  | { type: 'status_change'; body: { new_status: string; old_status: string } }
  | { type: 'thread_closure' | 'thread_reopen'; body: Record<never, never> }
);

/** Adds a message to a thread, in the caller's transaction, and gives its id. Checks no rule. */
export async function addMessage(
  tx: Db,
  thread_id: string,
  { type, body, author_id, private: is_private = false, hide_identity = false }: NewMessage,
  now: Date,
): Promise<string> {
  const id = newId();
  await tx`insert into thread_messages ${tx({
    id,
    thread_id,
    author_id,
    type,
    body: tx.json(body as never),
    private: is_private,
    hide_identity,
    created: now,
  })}`;
  return id;
}

/** The user has read the thread until now: posting does it, and so do screens that display the thread. */
export async function markRead(
  tx: Db,
  { user_id }: { user_id: string },
  thread_id: string,
  now: Date,
): Promise<void> {
  await tx`
    insert into thread_reads ${tx({ thread_id, user_id, read_at: now })}
    on conflict (thread_id, user_id) do update set read_at = greatest(thread_reads.read_at, excluded.read_at)`;
}

/** Adds the same message to each of these threads, in the caller's transaction. Checks no rule. */
export async function addMessages(
  tx: Db,
  thread_ids: readonly string[],
  { type, body, author_id, private: is_private = false, hide_identity = false }: NewMessage,
  now: Date,
): Promise<void> {
  if (thread_ids.length === 0) return;
  const message = { author_id, type, private: is_private, hide_identity, created: now };
  const rows = thread_ids.map((thread_id) => ({
    id: newId(),
    thread_id,
    body: tx.json(body as never),
    ...message,
  }));
  await tx`insert into thread_messages ${tx(rows as never)}`;
}
