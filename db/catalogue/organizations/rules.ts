import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isAdmin, isModerator } from '../../platform/people/rules.ts';
import { type Access, type Membership, whyNotActInOrganization } from '../teams/rules.ts';

/** Maximum organizations that a user owns; unlimited for admins. Source: api-v2 §1.8. */
export const perPerson = 16;

/** Who may see an organization follows from its projects and members. */
export interface Visibility {
  /** Whether it has a searchable project. */
  searchable: boolean;
  accepted_members: number;
  /** Whether the viewer is a member; pending invitations count. */
  mine: boolean;
}

/**
 * An organization exists for others once it has a searchable project or a second member; for its members and
 * moderators always. Source: api-behaviours §4.
 */
export function whyNotSeeOrganization(
  { searchable, accepted_members, mine }: Visibility,
  viewer: Actor | null,
): RefusalCode | null {
  return searchable || accepted_members > 1 || mine || isModerator(viewer) ? null : 'not_found';
}

/** Whether a user who owns `owned` organizations may create another one. Source: api-v2 §1.8; api-v3 §3.9. */
export function whyNotCreateOrganization(owned: number, actor: Actor): RefusalCode | null {
  if (!actor.email_verified) return 'email_unverified';
  return owned < perPerson || isAdmin(actor) ? null : 'limit_reached';
}

/** The actor's rows in the teams of a project and of the organization that shall own it. */
export interface Adding {
  role: Access['role'];
  project: Membership | null;
  organization: Membership | null;
  /** Whether an organization owns the project already. */
  owned: boolean;
}

/**
 * Why the actor may not add a project to an organization: only the project's owner or an admin, who is a member of
 * both, with ADD_PROJECT. Source: api-behaviours §2.
 */
export function whyNotAddProject({ role, project, organization, owned }: Adding): RefusalCode | null {
  if (owned) return 'already_in_organization';
  if (!project?.accepted || !organization?.accepted) return 'both_teams_required';
  if (role !== 'admin' && !project.is_owner) return 'owner_only';
  return whyNotActInOrganization({ role, organization }, 'ADD_PROJECT');
}

/** Why the actor may not remove a project from the organization for this new owner. Source: api-behaviours §2. */
export function whyNotRemoveProject(
  access: Pick<Access, 'role' | 'organization'>,
  { owned, new_owner }: { owned: boolean; new_owner: Membership | null },
): RefusalCode | null {
  const missing = whyNotActInOrganization(access, 'REMOVE_PROJECT');
  if (missing) return missing;
  if (!owned) return 'not_in_organization';
  return new_owner?.accepted ? null : 'new_owner_not_member';
}
