import { z } from 'zod';
import { idShape, oneLineText } from '../../platform/shape.ts';
import { allOrganizationPermissions, allPermissions } from '../teams/rules.ts';

/** Permission bits as a JSON integer; unknown bits are dropped. Source: api-v2 §1.2. */
const bits = (all: number) =>
  z
    .int()
    .min(0)
    .transform((value) => Number(BigInt(value) & BigInt(all)));

const role = oneLineText(0, 64);
/** A weight relative to the other members. Source: api-behaviours §2. */
const payouts_split = z.number().min(0).max(5000);
const ordering = z.int();

/** The body of POST /team/{id}/members. Source: api-v2 §9. */
export const invitationShape = z
  .object({
    user_id: idShape,
    role: role.default('Member'),
    permissions: bits(allPermissions).default(0),
    organization_permissions: bits(allOrganizationPermissions).nullish(),
    payouts_split: payouts_split.default(0),
    ordering: ordering.default(0),
  })
  .meta({ id: 'TeamInvitation' });
export type Invitation = z.output<typeof invitationShape>;

/** The body of PATCH /team/{id}/members/{user}: absent fields keep their values. Source: api-v2 §9. */
export const memberEditShape = z
  .object({
    role: role.nullish(),
    permissions: bits(allPermissions).nullish(),
    organization_permissions: bits(allOrganizationPermissions).nullish(),
    payouts_split: payouts_split.nullish(),
    ordering: ordering.nullish(),
  })
  .meta({ id: 'TeamMemberEdit' });
export type MemberEdit = z.output<typeof memberEditShape>;

/** The body of PATCH /team/{id}/owner. Source: api-v2 §9. */
export const newOwnerShape = z.object({ user_id: idShape }).meta({ id: 'TeamOwner' });
