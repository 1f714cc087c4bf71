import type { z } from 'zod';
import { type Member, memberV3Of } from '#db/catalogue/members/read.ts';
import { teamMemberV3Shape as withV2User } from '#db/catalogue/teams/shape.ts';
import { userV3Of, userV3Shape } from './user-shape.ts';

/** A member as v3 answers it. Source: api-v3 §2.6. */
export const memberV3Shape = withV2User.extend({ user: userV3Shape }).meta({ id: 'TeamMemberV3' });
export type MemberV3 = z.output<typeof memberV3Shape>;

/** The member as v3 answers it. */
export const memberV3 = (member: Member): MemberV3 => ({
  ...memberV3Of(member),
  user: userV3Of(member.user),
});
