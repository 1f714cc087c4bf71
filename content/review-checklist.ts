import stages from './review-checklist.json' with { type: 'json' };

/** The reviewer's checklist as it is written; `site/moderation/review/review-checklist.ts` checks its shape. */
export const reviewChecklistSource: unknown = stages;
