import { Refused } from '#db/errors.ts';
import { accessToOrganization } from '#db/organizations/access.ts';
import { findOrganization, type Organization } from '#db/organizations/read.ts';
import type { Actor } from '#db/people/rules.ts';
import { type Access, organizationPermissionsOf } from '#db/teams/rules.ts';
import { movedTo, type PageContext } from '../profile/profile.server.ts';
import { organizationPath } from '../routes.ts';

/** What every page of an organization's settings knows. */
export interface OrganizationSettings {
  organization: Organization;
  actor: Actor;
  access: Access;
}

/**
 * Loads the organization of a settings page for somebody who has rights in it, or gives the redirect to its canonical
 * address. Refuses `authentication_required` to anonymous visitors of a visible organization, and `settings_closed` to
 * everybody else without rights.
 */
export async function loadOrganizationSettings(page: PageContext): Promise<OrganizationSettings | Response> {
  const { params, locals } = page;
  const { services } = locals;
  const requested = params.id ?? '';
  const actor = await locals.currentActor();
  const organization = await findOrganization(services, requested, actor);
  if (!organization) throw new Refused('not_found');
  if (!actor) throw new Refused('authentication_required');
  const access = await accessToOrganization(services.sql, organization.id, actor);
  if (!access || organizationPermissionsOf(access) === null) throw new Refused('settings_closed');
  if (organization.slug !== requested) return movedTo(page, organizationPath(organization.slug));
  return { organization, actor, access };
}
