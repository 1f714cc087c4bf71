import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { Status } from '../projects/rules.ts';
import { accessTo } from '../teams/access.ts';
import { followedAmong } from './read.ts';
import { whyNotFollowProject, whyNotUnfollowProject } from './rules.ts';

/**
 * The actor follows the project; locks its row, so that the counter stays exact under concurrency. Refuses
 * `project_unknown` (hidden ones too), `already_following`. Source: api-v2 §4; api-behaviours §10.
 */
export async function follow(tx: Db, actor: Actor, project_id: string, now: Date): Promise<void> {
  const { status } = await locked(tx, project_id);
  const follows = await followed(tx, actor, project_id);
  assertAllowed(whyNotFollowProject(status, await accessTo(tx, project_id, actor), follows));
  await tx`insert into follows ${tx({ user_id: actor.user_id, project_id, created: now })}`;
  await tx`update projects set followers = followers + 1 where id = ${project_id}`;
  await counted(tx, actor, [project_id]);
}

/**
 * The actor unfollows the project. Refuses `project_unknown` (also for hidden ones that the actor does not follow),
 * `not_following`. Source: api-v2 §4.
 */
export async function unfollow(tx: Db, actor: Actor, project_id: string): Promise<void> {
  const { status } = await locked(tx, project_id);
  const follows = await followed(tx, actor, project_id);
  assertAllowed(whyNotUnfollowProject(status, await accessTo(tx, project_id, actor), follows));
  await tx`delete from follows where user_id = ${actor.user_id} and project_id = ${project_id}`;
  await tx`update projects set followers = greatest(followers - 1, 0) where id = ${project_id}`;
  await counted(tx, actor, [project_id]);
}

async function locked(tx: Db, project_id: string): Promise<{ status: Status }> {
  const [row] = await tx<Array<{ status: Status }>>`
    select status from projects where id = ${project_id} for no key update`;
  if (!row) throw new Refused('project_unknown');
  return row;
}

const followed = async (tx: Db, { user_id }: Actor, project_id: string): Promise<boolean> =>
  (await followedAmong(tx, user_id, [project_id])).length > 0;

const counted = async (tx: Db, { user_id }: Pick<Actor, 'user_id'>, project_ids: string[]): Promise<void> =>
  await recordEvent(tx, { name: 'project.counted', actor_id: user_id, data: { project_ids } });
