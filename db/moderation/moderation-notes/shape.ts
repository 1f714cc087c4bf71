import { z } from 'zod';
import { boundedText } from '../../platform/shape.ts';

/** What moderators note about a user or an organization. Source: api-v3 §2.7. */
export const moderationNoteShape = z
  .object({
    notes: z.string(),
    last_modified: z.string(),
    created_at: z.string(),
    last_author: z.string().nullable(),
    user_rating: z.int(),
    /** Counts the edits: the next one names it in If-Match. */
    version: z.int(),
  })
  .meta({ id: 'ModerationNote' });
export type ModerationNote = z.output<typeof moderationNoteShape>;

/** The body of PATCH notes: one of the fields at least. Source: api-v3 §3.7. */
export const noteEditShape = z
  .object({
    notes: boundedText(0, 65_536).nullish(),
    user_rating: z.int().min(-2_147_483_648).max(2_147_483_647).nullish(),
  })
  .refine(({ notes, user_rating }) => notes != null || user_rating != null, 'must hold notes or user_rating')
  .meta({ id: 'ModerationNoteEdit' });
export type NoteEdit = z.output<typeof noteEditShape>;
