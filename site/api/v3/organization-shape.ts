import { z } from 'zod';
import { membersOf } from '#db/catalogue/members/read.ts';
import type { Organization } from '#db/catalogue/organizations/read.ts';
import { organizationShape } from '#db/catalogue/organizations/shape.ts';
import { notesOfOrganizations } from '#db/moderation/moderation-notes/read.ts';
import { moderationNoteShape } from '#db/moderation/moderation-notes/shape.ts';
import { type Actor, isModerator } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { memberV3, memberV3Shape } from './member-shape.ts';

/** An organization as v3 answers it. Source: api-v3 §2.7. */
export const organizationV3Shape = organizationShape
  .extend({
    members: z.array(memberV3Shape),
    /** Only for moderators; null when there is none. */
    moderation_notes: moderationNoteShape.nullable().optional(),
  })
  .meta({ id: 'Organization' });
export type OrganizationV3 = z.output<typeof organizationV3Shape>;

/**
 * The organizations as `actor` sees them, with their members; the caller checks that they are visible. `alone`: a
 * request for one organization, where invitees see their own invitation. The same few queries for one or many.
 */
export async function organizationsV3(
  context: ReadContext,
  organizations: readonly Organization[],
  actor: Actor | null,
  { alone = false }: { alone?: boolean } = {},
): Promise<OrganizationV3[]> {
  const teams = organizations.map(({ team_id }) => team_id);
  const ids = organizations.map(({ id }) => id);
  const members = Map.groupBy(await membersOf(context, teams, actor, { alone }), ({ team_id }) => team_id);
  const notes = isModerator(actor) ? await notesOfOrganizations(context.sql, ids) : null;
  return organizations.map((organization) => ({
    ...organization,
    members: (members.get(organization.team_id) ?? []).map(memberV3),
    ...(notes ? { moderation_notes: notes.get(organization.id) ?? null } : {}),
  }));
}

/** One organization as `actor` sees it. */
export async function organizationV3(
  context: ReadContext,
  organization: Organization,
  actor: Actor | null,
): Promise<OrganizationV3> {
  const [displayed] = await organizationsV3(context, [organization], actor, { alone: true });
  return displayed!;
}
