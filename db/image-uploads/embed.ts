import { assertAllowed, Refused } from '../errors.ts';
import type { ImageContext, ImageTarget } from '../images/rules.ts';
import type { Actor } from '../people/rules.ts';
import { projectRef } from '../projects/read.ts';
import { type Status, whyNotSeeProject } from '../projects/rules.ts';
import { whyNotEditReport } from '../reports/rules.ts';
import type { Db } from '../sql.ts';
import { accessTo } from '../teams/access.ts';
import { type Permission, whyNotActInTeam } from '../teams/rules.ts';
import { accessToThreads } from '../threads/access.ts';
import { type RuledMessage, whyNotDeleteMessage, whyNotPostMessage } from '../threads/rules.ts';
import { type VersionStatus, whyNotSeeVersion } from '../versions/rules.ts';

/**
 * The item whose text shall embed an image, when the actor may edit that text; a project by its id or slug. Refuses
 * `not_found` (hidden items too), `not_a_member`, `permission_missing`, and what the rules of messages and reports
 * refuse. Source: api-v3 §3.9.
 */
export async function editableTarget(
  db: Db,
  actor: Actor,
  { context, id }: ImageTarget,
): Promise<ImageTarget> {
  return { context, id: await editable[context](db, actor, id) };
}

const editable: Record<ImageContext, (db: Db, actor: Actor, id: string) => Promise<string>> = {
  async project(db, actor, idOrSlug) {
    const project = await projectRef(db, idOrSlug);
    if (!project) throw new Refused('not_found');
    await assertInTeam(db, actor, project, 'EDIT_BODY');
    return project.id;
  },

  async version(db, actor, id) {
    const [version] = await db<Array<{ project_id: string; project_status: Status; status: VersionStatus }>>`
      select v.project_id, v.status, p.status as project_status
      from versions v join projects p on p.id = v.project_id where v.id = ${id}`;
    if (!version) throw new Refused('not_found');
    const { project_id, project_status, status } = version;
    assertAllowed(whyNotSeeVersion(status, await accessTo(db, project_id, actor)));
    await assertInTeam(db, actor, { id: project_id, status: project_status }, 'UPLOAD_VERSION');
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

  async report(db, actor, id) {
    const [report] = await db<Array<{ reporter: string }>>`select reporter from reports where id = ${id}`;
    if (!report) throw new Refused('not_found');
    assertAllowed(whyNotEditReport(report, { body: true, closed: false }, actor));
    return id;
  },
};

async function assertInTeam(
  db: Db,
  actor: Actor,
  { id, status }: { id: string; status: Status },
  permission: Permission,
): Promise<void> {
  const access = await accessTo(db, id, actor);
  assertAllowed(whyNotSeeProject(status, access));
  assertAllowed(whyNotActInTeam(access, permission), { permission });
}
