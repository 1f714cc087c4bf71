import { z } from 'zod';
import { cancelReasons, maxCancelNote } from '#db/money/billing/cancel-reasons.ts';

/** What the forms say that cancel a subscription: `cancel_reason` and `cancel_note`, both optional; null where nothing was said. */
export const cancelAnswerFields = {
  // the option that says nothing is an empty one
  cancel_reason: z
    .enum([...cancelReasons, ''])
    .default('')
    .transform((reason) => reason || null),
  cancel_note: z
    .string()
    .trim()
    .max(maxCancelNote)
    .default('')
    .transform((note) => note || null),
};
