import { notify } from '../../messages/notifications/write.ts';
import { addMessage } from '../../messages/threads/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';

/** Writes to the thread of the project and notifies its team. */
export async function tellTeam(tx: Db, project_id: string, text: string, now: Date): Promise<void> {
  const [project] = await tx<
    Array<{ thread_id: string }>
  >`select thread_id from projects where id = ${project_id}`;
  const { thread_id } = project!;
  const body = { body: text, replying_to: null };
  const message_id = await addMessage(tx, thread_id, { type: 'text', author_id: null, body }, now);
  const members = await tx<Array<{ user_id: string }>>`
    select m.user_id from team_members m join projects p on p.team = m.team_id
    where p.id = ${project_id} and m.accepted`;
  await notify(
    tx,
    members.map(({ user_id }) => user_id),
    { type: 'moderator_message', body: { thread_id, message_id, project_id, report_id: null } },
    `thread:${thread_id}`,
  );
}
