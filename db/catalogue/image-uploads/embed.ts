import type { ImageContext, ImageTarget } from '../../messages/images/rules.ts';
import { accessToThreads } from '../../messages/threads/access.ts';
import { type RuledMessage, whyNotDeleteMessage, whyNotPostMessage } from '../../messages/threads/rules.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { projectForAction } from '../projects/for-action.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { accessToVersion } from '../versions/access.ts';
import { whyNotEditVersion } from '../versions/rules.ts';

/**
 * The item whose text shall embed an image, when the actor may edit that text; a project by its id or slug. Refuses
 * `not_found` (hidden items too), `not_a_member`, `permission_missing`, and what the rules of messages and reports
 * refuse. `editableReport`: reports belong to moderation, above the catalogue. Source: api-v3 §3.9.
 */
export async function editableTarget(
  db: Db,
  actor: Actor,
  { context, id }: ImageTarget,
  editableReport: EditableItem,
): Promise<ImageTarget> {
  const find = context === 'report' ? editableReport : editable[context];
  return { context, id: await find(db, actor, id) };
}

/** Gives the id of an item whose text the actor may edit, or refuses. */
export type EditableItem = (db: Db, actor: Actor, id: string) => Promise<string>;

const editable: Record<Exclude<ImageContext, 'report'>, EditableItem> = {
  async project(db, actor, idOrSlug) {
    const { id, access } = await projectForAction(db, idOrSlug, actor);
    assertAllowed(whyNotActInTeam(access, 'EDIT_BODY'), { permission: 'EDIT_BODY' });
    return id;
  },

  async version(db, actor, id) {
    const version = await accessToVersion(db, id, actor);
    if (!version) throw new Refused('not_found');
    assertAllowed(whyNotEditVersion(version.access), { permission: 'UPLOAD_VERSION' });
    return id;
  },

  async thread_message(db, actor, id) {
    const [message] = await db<Array<RuledMessage & { thread_id: string }>>`
      select thread_id, type, author_id, private, hide_identity from thread_messages where id = ${id}`;
    const [thread] = message ? await accessToThreads(db, [message.thread_id], actor) : [];
    if (!message || !thread) throw new Refused('not_found');
    assertAllowed(whyNotDeleteMessage(thread, message, actor));
    assertAllowed(whyNotPostMessage(thread, message, actor));
    if (message.author_id !== actor.user_id || message.type !== 'text') throw new Refused('not_yours');
    return id;
  },
};
