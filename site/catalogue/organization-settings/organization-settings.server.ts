import { accessToOrganization } from '#db/catalogue/organizations/access.ts';
import { findOrganization, type Organization } from '#db/catalogue/organizations/read.ts';
import { type Access, organizationPermissionsOf } from '#db/catalogue/teams/rules.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { organizationPath } from '../../platform/paths/routes.ts';
import { movedTo, type PageContext } from '../profile/profile.server.ts';

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
