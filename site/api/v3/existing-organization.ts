import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import type { Organization } from '#db/organizations/read.ts';
import { findOrganization } from '#db/organizations/read.ts';
import type { Actor } from '#db/people/rules.ts';
import type { ReadContext } from '#db/read-context.ts';

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
