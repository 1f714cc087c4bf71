/** What was just done on the billing page of a server; the address names it, and the page says it. */
export const billingDone = ['paid', 'canceled', 'resumed', 'planned', 'kept'] as const;
export type BillingDone = (typeof billingDone)[number];
