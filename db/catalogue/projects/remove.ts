import { addMessage } from '../../messages/threads/write.ts';
import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotActInTeam } from '../teams/rules.ts';
import { type LockedProject, lockProject } from './locked.ts';

/** Statuses whose projects staff must still find after their deletion. Source: api-behaviours §13. */
const retainedForStaff = ['rejected', 'withheld'];

/**
 * Deletes a project; gives the storage prefix that the caller removes after the commit, null when files stay. A
 * rejected or withheld project is only hidden: it has no owner, is rejected, its slug is free, and a private note in
 * its thread says who deleted it. Refuses `not_a_member` (also when there is no such project) and `permission_missing`.
 * Source: api-v2 §4; api-behaviours §13, §17 (11).
 */
export async function removeProject(
  tx: Db,
  actor: Actor,
  project_id: string,
  now: Date,
): Promise<string | null> {
  const project = await lockProject(tx, project_id, actor, 'not_a_member');
  assertAllowed(whyNotActInTeam(project.access, 'DELETE_PROJECT'), { permission: 'DELETE_PROJECT' });
  const retained = retainedForStaff.includes(project.status);
  if (retained) await disown(tx, project, { actor, now });
  else {
    await tx`delete from projects where id = ${project_id}`;
    await tx`delete from teams where id = ${project.team}`;
  }
  const { slug, team: team_id, organization: organization_id } = project;
  await recordEvent(tx, {
    name: 'project.deleted',
    actor_id: actor.user_id,
    project_id,
    team_id,
    organization_id,
    data: { slug },
  });
  return retained ? null : `data/${project_id}/`;
}

async function disown(
  tx: Db,
  { id, slug, team, status }: LockedProject,
  { actor, now }: { actor: Actor; now: Date },
): Promise<void> {
  await tx`
    update projects set slug = ${`${slug}--deleted-${id}`}, organization = null, status = 'rejected', followers = 0
    where id = ${id}`;
  await tx`delete from team_members where team_id = ${team}`;
  await tx`delete from follows where project_id = ${id}`;
  await tx`delete from collection_projects where project_id = ${id}`;
  await tx`delete from old_slugs where project_id = ${id}`;
  const [thread] = await tx<Array<{ id: string }>>`select thread_id as id from projects where id = ${id}`;
  const body = { body: `${actor.username} deleted this project while it was ${status}.`, replying_to: null };
  if (thread) await addMessage(tx, thread.id, { type: 'text', author_id: null, private: true, body }, now);
}
