import { z } from 'zod';
import type { Organization } from '#db/catalogue/organizations/read.ts';
import { findOrganization } from '#db/catalogue/organizations/read.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';

/** Id or slug of an organization. */
export const organizationParams = z.object({ id: z.string() });

/** The organization of this id or slug that the actor may see. Refuses `not_found`. */
export async function existingOrganization(
  context: ReadContext,
  idOrSlug: string,
  actor: Actor | null,
): Promise<Organization> {
  const organization = await findOrganization(context, idOrSlug, actor);
  if (!organization) throw new Refused('not_found');
  return organization;
}
