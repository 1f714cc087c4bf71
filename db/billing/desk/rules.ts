/** Bounds of what administrators do with payments. */

/** Most days that staff give at once, and most subscriptions that get them at once. */
export const maxCreditDays = 366;
export const maxCredited = 1_000;

/** Most subscriptions that a program of the operator changes at once. */
export const maxUpdated = 1_000;

/** Transactions of the ledger on one page. */
export const ledgerPageSize = 25;
