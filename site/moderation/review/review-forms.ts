import { z } from 'zod';
import { statuses } from '#db/catalogue/projects/rules.ts';
import { limits } from '#db/messages/threads/shape.ts';
import { verdicts } from '#db/moderation/review/rules.ts';
import { boundedText, idShape } from '#db/platform/shape.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';

const review = { action: '/_internal/moderation/review', fields: [], errors: {} };
const project = idShape;

/** Begins to review one project, or all projects of a filter one after the other. */
export const startReviewForm = defineForm({
  ...review,
  shape: z.object({
    project: project.optional(),
    type: z.string().max(32).default(''),
    sort: z.string().max(32).default(''),
    q: z.string().max(300).default(''),
  }),
});
export const leaveReviewForm = defineForm({
  ...review,
  action: `${review.action}/leave`,
  shape: z.object({ project, skip: z.literal('on').optional() }),
});
export const takeOverForm = defineForm({
  ...review,
  action: `${review.action}/take-over`,
  shape: z.object({ project }),
});
/** Puts a project back that was decided by mistake; `status` is what the decision left. */
export const undoDecisionForm = defineForm({
  ...review,
  action: `${review.action}/undo`,
  shape: z.object({ project, status: z.enum(statuses) }),
});
export const decideForm = defineForm({
  action: `${review.action}/decide`,
  shape: z.object({
    project,
    status: z.enum(statuses),
    verdict: z.enum(verdicts),
    message: z
      .string()
      .transform((text) => text.replace(/\r\n?/g, '\n').trimEnd())
      .pipe(boundedText(0, limits.message_bytes))
      .default(''),
  }),
  fields: ['message'],
  errors: { review_message_missing: 'message', body_too_complex: 'message' },
});
