/** What was just done with Plus; the address of the billing page names it, and the page says it. */
export const plusDone = ['paid', 'resumed', 'canceled'] as const;
export type PlusDone = (typeof plusDone)[number];
