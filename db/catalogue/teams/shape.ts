import { z } from 'zod';
import { userShape } from '../../platform/people/shape.ts';
import { idShape } from '../../platform/shape.ts';

/**
 * A member with the fields of v2, except for the user, which the API layer converts; permissions and payouts_split are
 * null for outsiders. Source: api-v2 §2.4.
 */
export const teamMemberShape = z.object({
  team_id: idShape,
  user: userShape,
  role: z.string(),
  permissions: z.number().int().nullable(),
  accepted: z.boolean(),
  payouts_split: z.number().nullable(),
  ordering: z.number().int(),
});
export type TeamMember = z.output<typeof teamMemberShape>;

/** The same for v3. Source: api-v3 §2.6. */
export const teamMemberV3Shape = teamMemberShape.extend({
  is_owner: z.boolean(),
  organization_permissions: z.number().int().nullable(),
});
export type TeamMemberV3 = z.output<typeof teamMemberV3Shape>;
