import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { whyNotUseSlug } from '../projects/rules.ts';
import {
  type Access,
  allOrganizationPermissions,
  type OrganizationPermission,
  whyNotActInOrganization,
} from '../teams/rules.ts';
import * as teams from '../teams/write.ts';
import { accessToOrganization } from './access.ts';
import { handOver } from './hand-over.ts';
import { ownedOrganizations } from './read.ts';
import { perPerson, whyNotCreateOrganization } from './rules.ts';
import type { CreateData, EditData } from './shape.ts';
import { claimSlug } from './slugs.ts';

/** What writes need to know of an organization, with its row locked until the commit. */
export interface LockedOrganization {
  id: string;
  slug: string;
  team_id: string;
  icon_key: string | null;
  raw_icon_key: string | null;
  access: Access;
}

/**
 * Locks an organization for a change by the actor. New projects of it wait too, because their rows refer to it and it
 * may be deleted. Refuses `not_found`, also for hidden ones.
 */
export async function lockOrganization(tx: Db, id: string, actor: Actor): Promise<LockedOrganization> {
  const [row] = await tx<Array<Omit<LockedOrganization, 'access'>>>`
    select id, slug, team_id, icon_key, raw_icon_key from organizations where id = ${id} for update`;
  const access = row && (await accessToOrganization(tx, id, actor));
  if (!access) throw new Refused('not_found', { id });
  return { ...row, access };
}

/** Refuses `not_a_member`, `permission_missing`. */
export const assertPermission = (
  { access }: Pick<LockedOrganization, 'access'>,
  permission: OrganizationPermission,
): void => assertAllowed(whyNotActInOrganization(access, permission), { permission });

/** The slug as stored. Refuses `slug_invalid`, `organization_slug_taken`. */
function parseSlug(text: string): string {
  assertAllowed(whyNotUseSlug(text));
  const slug = text.toLowerCase();
  // `/organization/new` is the page that creates one
  if (slug === 'new') throw new Refused('organization_slug_taken', { slug });
  return slug;
}

/**
 * Creates an organization that the actor owns, and gives its id. One at a time per user, so that the limit holds.
 * Refuses `email_unverified`, `limit_reached`, `slug_invalid`, `organization_slug_taken`. Source: api-v3 §3.9.
 */
export async function createOrganization(
  tx: Db,
  actor: Actor,
  { slug, name, description }: CreateData,
): Promise<string> {
  await tx`select 1 from users where id = ${actor.user_id} for no key update`;
  const owned = await ownedOrganizations(tx, actor.user_id);
  assertAllowed(whyNotCreateOrganization(owned, actor), { limit: perPerson });
  const id = newId();
  const stored = parseSlug(slug);
  await claimSlug(tx, id, stored);
  const team_id = await teams.create(tx, actor.user_id, allOrganizationPermissions);
  await tx`insert into organizations ${tx({ id, slug: stored, name, description, team_id })}`;
  await recordEvent(tx, {
    name: 'organization.created',
    actor_id: actor.user_id,
    organization_id: id,
    user_id: actor.user_id,
  });
  return id;
}

/**
 * Records a change of these fields of the organization, which refreshes the pages that show it, and its projects in
 * search after a change of its name.
 */
export const recordEdit = async (
  tx: Db,
  actor: Actor,
  organization_id: string,
  fields: string[],
): Promise<void> =>
  await recordEvent(tx, {
    name: 'organization.edited',
    actor_id: actor.user_id,
    organization_id,
    data: { fields },
  });

/**
 * Changes an organization; absent fields stay, the own slug is no change. Refuses `not_found`, `not_a_member`,
 * `permission_missing`, `slug_invalid`, `organization_slug_taken`. Source: api-v3 §3.9.
 */
export async function editOrganization(
  tx: Db,
  actor: Actor,
  id: string,
  { slug, name, description }: EditData,
): Promise<void> {
  const organization = await lockOrganization(tx, id, actor);
  assertPermission(organization, 'EDIT_DETAILS');
  const stored = slug == null ? organization.slug : parseSlug(slug);
  if (stored !== organization.slug) await claimSlug(tx, id, stored);
  const columns = {
    ...(stored === organization.slug ? {} : { slug: stored }),
    ...(name == null ? {} : { name }),
    ...(description == null ? {} : { description }),
  };
  const fields = Object.keys(columns);
  if (fields.length === 0) return;
  await tx`update organizations set ${tx(columns)} where id = ${id}`;
  await recordEdit(tx, actor, id, fields);
}

/**
 * Deletes an organization; its projects pass to its owner. Gives the storage prefix of its icon, which the caller
 * removes after the commit. Refuses `not_found`, `not_a_member`, `permission_missing`. Source: api-behaviours §2, §13.
 */
export async function removeOrganization(tx: Db, actor: Actor, id: string): Promise<string> {
  const organization = await lockOrganization(tx, id, actor);
  assertPermission(organization, 'DELETE_ORGANIZATION');
  const { slug, team_id } = organization;
  const projects = await tx<Array<{ id: string }>>`
    select id from projects where organization = ${id} order by id for no key update`;
  const project_ids = projects.map((project) => project.id);
  const [owner] = await tx<Array<{ user_id: string }>>`
    select user_id from team_members where team_id = ${team_id} and is_owner`;
  if (owner) await handOver(tx, project_ids, owner.user_id);
  else await tx`update projects set organization = null where organization = ${id}`;
  await tx`delete from organizations where id = ${id}`;
  await tx`delete from teams where id = ${team_id}`;
  await recordEvent(tx, {
    name: 'organization.deleted',
    actor_id: actor.user_id,
    organization_id: id,
    ...(owner ? { user_id: owner.user_id } : {}),
    data: { slug, project_ids },
  });
  return iconsOf(id);
}

/** Storage prefix of the icon of an organization. */
export const iconsOf = (id: string): string => `data/organizations/${id}/`;
