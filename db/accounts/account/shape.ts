import { z } from 'zod';
import { roles } from '../../platform/people/rules.ts';
import { linesText } from '../../platform/shape.ts';

/** All badges of the reference; unknown bits are dropped. Source: api-v2 §1.2, §1.7. */
const all_badges = 255n;

/** The body of PATCH /user: absent fields stay, a null bio clears; `name` is ignored. Source: api-v2 §7; api-v3 §3.7. */
export const userEditShape = z
  .object({
    username: z.string().max(256).nullish(),
    bio: linesText(0, 160).nullable().optional(),
    role: z.enum(roles).nullish(),
    badges: z
      .int()
      .min(0)
      .nullish()
      .transform((bits) => (bits == null ? bits : Number(BigInt(bits) & all_badges))),
    allow_friend_requests: z.boolean().nullish(),
    venmo_handle: z.string().max(64).nullable().optional(),
  })
  .meta({ id: 'UserEdit' });
export type UserEdit = z.output<typeof userEditShape>;
