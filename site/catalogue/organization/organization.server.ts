import { pinnedProjects } from '#db/accounts/pins/read.ts';
import { memberOf, membersOf } from '#db/catalogue/members/read.ts';
import { findOrganization, type Organization } from '#db/catalogue/organizations/read.ts';
import type { ProfileProject } from '#db/catalogue/projects/by-owner.ts';
import type { TeamMember } from '#db/catalogue/teams/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { organizationPath } from '../../platform/paths/routes.ts';
import {
  type LoadedList,
  listPayload,
  loadList,
  movedTo,
  type PageContext,
} from '../profile/profile.server.ts';

export interface OrganizationProfile extends LoadedList {
  organization: Organization;
  /** Members who accepted, the owner first. */
  members: TeamMember[];
  /** Pinned projects, on the first page of the list. */
  pinned: ProfileProject[];
}

/**
 * Loads a page below /organization/{id or slug}, or gives the redirect to the canonical slug. Loads as an anonymous
 * visitor first; only an organization that is hidden from others depends on the current user. Refuses `not_found`.
 */
export async function loadProfile(page: PageContext): Promise<OrganizationProfile | Response> {
  const { params, locals } = page;
  const { services, tag } = locals;
  const requested = params.id ?? '';
  tag(`organization:${requested}`);
  const organization = await existingOrganization(requested, locals);
  tag(`organization:${organization.id}`);
  const base = organizationPath(organization.slug);
  if (organization.slug !== requested) return movedTo(page, base);
  const [listed, team] = await Promise.all([
    loadList(page, { organization_id: organization.id }, base),
    membersOf(services, [organization.team_id], locals.isPrivate ? await locals.currentActor() : null),
  ]);
  if (listed instanceof Response) return listed;
  const accepted = team.filter((member) => member.accepted);
  const members = [
    ...accepted.filter(({ is_owner }) => is_owner),
    ...accepted.filter(({ is_owner }) => !is_owner),
  ].map(memberOf);
  for (const { user } of members) tag(`user:${user.id}`);
  const begins = listed.kind === null && listed.state.page === 1 && listed.state.text === '';
  const pinned = begins ? await pinnedProjects(services, { organization_id: organization.id }) : [];
  for (const { id } of pinned) tag(`project:${id}`);
  locals.exposeData({ organization, members, ...listPayload(listed) });
  return { ...listed, organization, members, pinned };
}

async function existingOrganization(
  requested: string,
  { services, currentActor, tag }: App.Locals,
): Promise<Organization> {
  const organization =
    (await findOrganization(services, requested, null)) ??
    (await findOrganization(services, requested, await currentActor()));
  if (organization) return organization;
  tag('list:organizations'); // it may become visible as soon as one of its projects does
  throw new Refused('not_found');
}
