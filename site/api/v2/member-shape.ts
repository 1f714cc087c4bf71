import type { z } from 'zod';
import { type Member, memberOf } from '#db/catalogue/members/read.ts';
import { teamMemberShape as withV2User } from '#db/catalogue/teams/shape.ts';
import { userV3Of, userV3Shape } from '../v3/user-shape.ts';

/** A member as v2 answers it: its user has the shape of v3, without a name. Source: api-v2 §2.4. */
export const memberV2Shape = withV2User.extend({ user: userV3Shape }).meta({ id: 'TeamMember' });

/** The member as v2 answers it. */
export const memberV2 = (member: Member): z.output<typeof memberV2Shape> => ({
  ...memberOf(member),
  user: userV3Of(member.user),
});
