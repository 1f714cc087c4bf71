import { lockProject } from '../../catalogue/projects/locked.ts';
import { whyNotReview } from '../../catalogue/review-locks/rules.ts';
import { accessToVersion } from '../../catalogue/versions/access.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import { type Actor, accountOf, isModerator } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { tellTeam } from '../holds/tell-team.ts';
import { whyNotAnswer, whyNotAttribute } from './rules.ts';
import { settleAttribution } from './settle.ts';
import type { Attribution } from './shape.ts';

interface At {
  now: Date;
}

/**
 * Has the modpacks of these versions read again. Gives how many files. Refuses `not_found` for a version that does not exist or is
 * hidden from the actor, `not_a_member`, `permission_missing`.
 */
export async function scanVersions(
  tx: Db,
  actor: Actor,
  version_ids: readonly string[],
  { now }: At,
): Promise<number> {
  for (const id of new Set(version_ids)) {
    const version = await accessToVersion(tx, id, actor);
    if (!version) throw new Refused('not_found', { id });
    assertAllowed(whyNotAttribute(version.access), { permission: 'UPLOAD_VERSION' });
  }
  const { count } = await tx`
    update file_scans s set state = 'waiting', due = ${now}, attempts = 0, problem = null
    from files f where f.id = s.file_id and f.version_id = any(${version_ids as string[]}) and f.filename like '%.mrpack'`;
  return count;
}

/**
 * Answers for the files of a group. Refuses `not_found` (also to outsiders), `not_a_member`, `permission_missing`, `attribution_frozen`,
 * `moderators_only` for what counts for everybody and for decisions about answers. Source: api-v3 §5.1.
 */
export async function answerGroup(
  tx: Db,
  actor: Actor,
  group_id: string,
  { moderation_status, ...attribution }: Attribution,
  { now }: At,
): Promise<void> {
  const { project_id, access } = await lockGroup(tx, actor, group_id);
  const [group] = await tx<Array<{ moderation: string | null }>>`
    select moderation_status ->> 'kind' as moderation from attribution_groups where id = ${group_id} for update`;
  const about = {
    kind: attribution.kind,
    moderates: moderation_status != null,
    frozen: group!.moderation === 'not_allowed',
  };
  assertAllowed(whyNotAnswer(access, about), { permission: 'UPLOAD_VERSION' });
  // a new answer of the team is looked at again
  const decision = moderation_status == null ? null : tx.json(moderation_status as never);
  await tx`
    update attribution_groups set attribution = ${tx.json(attribution as never)}, attributed_at = ${now},
      attributed_by = ${accountOf(actor)}, moderation_status = ${decision}
    where id = ${group_id}`;
  await changed(tx, actor, project_id, { now });
}

/**
 * Moves a file into another group of the same project, or into one of its own without a target. Refuses `not_found`, and what
 * `answerGroup` refuses.
 */
export async function moveFile(
  tx: Db,
  actor: Actor,
  { project_id, sha1, target_group_id }: { project_id: string; sha1: string; target_group_id: string | null },
  { now }: At,
): Promise<void> {
  const access = await lockedAccess(tx, actor, project_id);
  const [file] = await tx<Array<{ group_id: string; frozen: boolean }>>`
    select a.group_id, coalesce(g.moderation_status ->> 'kind' = 'not_allowed', false) as frozen
    from attribution_files a join attribution_groups g on g.id = a.group_id
    where a.project_id = ${project_id} and a.sha1 = ${sha1} for update of a`;
  if (!file) throw new Refused('not_found', { id: sha1 });
  assertAllowed(whyNotAnswer(access, { kind: 'license', moderates: false, frozen: file.frozen }));
  const target = target_group_id ?? newId();
  if (target_group_id === null)
    await tx`insert into attribution_groups ${tx({ id: target, project_id, created: now })}`;
  else {
    const [group] =
      await tx`select 1 from attribution_groups where id = ${target} and project_id = ${project_id}`;
    if (!group) throw new Refused('not_found', { id: target });
  }
  await tx`update attribution_files set group_id = ${target} where project_id = ${project_id} and sha1 = ${sha1}`;
  await tx`
    delete from attribution_groups g where g.id = ${file.group_id}
      and not exists (select from attribution_files a where a.group_id = g.id)`;
  await changed(tx, actor, project_id, { now });
}

/** Deletes groups, all of a project with `project_id`: their files are asked about again. Refuses `moderators_only`, `not_found`. */
export async function deleteGroups(
  tx: Db,
  actor: Actor,
  which: { groups: readonly string[] } | { project_id: string },
  { now }: At,
): Promise<void> {
  assertAllowed(whyNotReview(actor));
  const found = await tx<Array<{ id: string; project_id: string }>>`
    select id, project_id from attribution_groups
    where ${'groups' in which ? tx`id = any(${which.groups as string[]})` : tx`project_id = ${which.project_id}`}`;
  const missing = 'groups' in which && which.groups.find((id) => !found.some((group) => group.id === id));
  if (missing) throw new Refused('not_found', { id: missing });
  for (const project_id of [...new Set(found.map((group) => group.project_id))].sort()) {
    await lockProject(tx, project_id, actor);
    const own = found.filter((group) => group.project_id === project_id).map(({ id }) => id);
    await tx`delete from attribution_groups where id = any(${own})`;
    await changed(tx, actor, project_id, { now });
  }
}

/**
 * Settles every modpack with these files, 1,000 at most, after staff have decided about them. `words` tell the teams of those that are
 * hidden by it.
 */
export async function settleProjectsWith(
  tx: Db,
  actor: Actor,
  hashes: readonly string[],
  { now, words }: At & { words: (files: readonly string[]) => string },
): Promise<void> {
  const projects = await tx<Array<{ id: string }>>`
    select distinct v.project_id as id
    from pack_files c join files f on f.id = c.file_id join versions v on v.id = f.version_id
    where c.sha1 = any(${hashes as string[]}) order by 1 limit 1000`;
  for (const { id } of projects) {
    await lockProject(tx, id, actor);
    const open = await settleAttribution(tx, id, { actor_id: accountOf(actor), now });
    if (open.length > 0) await tellTeam(tx, id, words(open), now);
  }
}

async function lockGroup(tx: Db, actor: Actor, group_id: string) {
  const [group] = await tx<Array<{ project_id: string }>>`
    select project_id from attribution_groups where id = ${group_id}`;
  if (!group) throw new Refused('not_found', { id: group_id });
  return { project_id: group.project_id, access: await lockedAccess(tx, actor, group.project_id) };
}

/** Locks the project; outsiders do not learn that there is something. */
async function lockedAccess(tx: Db, actor: Actor, project_id: string) {
  const { access } = await lockProject(tx, project_id, actor);
  if (!isModerator(actor) && !access.project && !access.organization)
    throw new Refused('not_found', { id: project_id });
  return access;
}

async function changed(tx: Db, actor: Actor, project_id: string, { now }: At): Promise<void> {
  await settleAttribution(tx, project_id, { actor_id: accountOf(actor), now });
  await recordEvent(tx, { name: 'project.attributed', actor_id: accountOf(actor), project_id });
}
