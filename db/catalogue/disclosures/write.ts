import { assertAllowed } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type LockedProject, lockProject } from '../projects/locked.ts';
import { displayStatus } from '../projects/rules.ts';
import { isMember, whyNotActInTeam } from '../teams/rules.ts';
import {
  type DisclosureType,
  type LockStatus,
  whyNotLockDisclosure,
  whyNotRemoveDisclosure,
  whyNotSetDisclosure,
} from './rules.ts';
import type { EditData } from './shape.ts';

/**
 * Sets and removes disclosures of a project; removed ones stay visible to members. Moderators may lock what they name.
 * `archived` also archives the project or ends that. Refuses `not_found`, `not_a_member`, `permission_missing`,
 * `moderators_only`, `disclosure_locked`. Source: api-v3 §2.7, §3.1; api-behaviours §3.
 */
export async function editDisclosures(
  tx: Db,
  actor: Actor,
  project_id: string,
  { set, remove, lock_status, now }: EditData & { now: Date },
): Promise<void> {
  const project = await lockProject(tx, project_id, actor);
  const { access } = project;
  assertAllowed(whyNotActInTeam(access, 'EDIT_DETAILS'), { permission: 'EDIT_DETAILS' });
  if (lock_status != null) assertAllowed(whyNotLockDisclosure(access));
  const locks = await locksOf(tx, project_id);
  const lockOf = (type: DisclosureType): LockStatus => locks.get(type) ?? 'unlocked';
  for (const { type } of set) assertAllowed(whyNotSetDisclosure(lockOf(type), access), { type });
  for (const type of remove) assertAllowed(whyNotRemoveDisclosure(lockOf(type), access), { type });

  const changed = {
    set_by_moderator: isModerator(actor) && !isMember(access),
    updated_at: now,
    updated_by: accountOf(actor),
  };
  const rows = set.map(({ type, ...data }) => ({
    ...changed,
    project_id,
    type,
    data: tx.json(data as never),
    lock_status: lock_status ?? lockOf(type),
    deleted_at: null,
  }));
  if (rows.length > 0)
    await tx`
      insert into disclosures ${tx(rows as never)}
      on conflict (project_id, type) do update set data = excluded.data,
        set_by_moderator = excluded.set_by_moderator, lock_status = excluded.lock_status,
        updated_at = excluded.updated_at, updated_by = excluded.updated_by, deleted_at = null`;
  await tx`
    update disclosures set ${tx({ ...changed, ...(lock_status == null ? {} : { lock_status }) })},
      deleted_at = coalesce(deleted_at, ${now})
    where project_id = ${project_id} and type = any(${remove as string[]}::text[])`;
  await recordEvent(tx, {
    name: 'project.edited',
    actor_id: actor.user_id,
    project_id,
    data: { fields: ['disclosures'] },
  });
  await archive(tx, actor, project, archivedBy({ set, remove }));
}

async function locksOf(tx: Db, project_id: string): Promise<Map<DisclosureType, LockStatus>> {
  const rows = await tx<Array<{ type: DisclosureType; lock_status: LockStatus }>>`
    select type, lock_status from disclosures where project_id = ${project_id}`;
  return new Map(rows.map(({ type, lock_status }) => [type, lock_status]));
}

/** Whether the change archives the project (true), ends that (false), or neither. */
function archivedBy({ set, remove }: Pick<EditData, 'set' | 'remove'>): boolean | null {
  if (set.some(({ type }) => type === 'archived')) return true;
  return remove.includes('archived') ? false : null;
}

async function archive(
  tx: Db,
  actor: Actor,
  project: LockedProject,
  archived: boolean | null,
): Promise<void> {
  if (archived === null || archived === project.archived) return;
  await tx`update projects set archived = ${archived} where id = ${project.id}`;
  const [from, to] = [displayStatus(project), displayStatus({ ...project, archived })];
  if (from === to) return;
  await recordEvent(tx, {
    name: 'project.moved',
    actor_id: actor.user_id,
    project_id: project.id,
    data: { from, to },
  });
}
