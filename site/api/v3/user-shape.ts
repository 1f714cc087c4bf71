import { z } from 'zod';
import { type ModerationNote, moderationNoteShape } from '#db/moderation/moderation-notes/shape.ts';
import { type User, userShape } from '#db/platform/people/shape.ts';

const { name: _, ...v2Fields } = userShape.shape;

/** A user as v3 answers it; private fields are null except for the user and admins. Source: api-v3 §2.5. */
export const userV3Shape = z
  .object({
    ...v2Fields,
    campaigns: z.object({ pride_26: z.null() }),
    stripe_customer_id: z.null(),
    allow_friend_requests: z.boolean().nullable(),
    eligibility_verified_at: z.null(),
    /** Only for moderators; null when there is none. */
    moderation_notes: moderationNoteShape.nullable().optional(),
    discord_id: z.string().optional(),
    steam_id: z.string().optional(),
  })
  .meta({ id: 'UserV3' });
export type UserV3 = z.output<typeof userV3Shape>;

/** What v3 says about a user beyond v2. */
interface More {
  allow_friend_requests?: boolean | null;
  /** Undefined when the viewer is no moderator. */
  moderation_notes?: ModerationNote | null | undefined;
}

/**
 * The user as v3 answers it, from its v2 form. Without `more` as others see it, as in lists and as a team's member.
 * There is no sign-in by other sites, so the ids of those are left out.
 */
export const userV3Of = (
  { name: _, ...user }: User,
  { allow_friend_requests = null, moderation_notes }: More = {},
): UserV3 => ({
  ...user,
  campaigns: { pride_26: null },
  stripe_customer_id: null,
  allow_friend_requests,
  eligibility_verified_at: null,
  ...(moderation_notes === undefined ? {} : { moderation_notes }),
});
