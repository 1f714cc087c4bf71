/** Bounds of what administrators do with payments. */

/** Most days that staff give at once, and most subscriptions that get them at once. */
export const maxCreditDays = 366;
export const maxCredited = 1_000;

/** Most subscriptions that a program of the operator changes at once. */
export const maxUpdated = 1_000;

/** Transactions of the ledger on one page. */
export const ledgerPageSize = 25;

/**
 * The first day of a month in UTC that was typed as `2026-11`, as the database takes it; undefined for a text that is no
 * month of the years 2000 to 2999. Postgres has no year 0.
 */
export const firstOfMonth = (text: string): string | undefined =>
  /^2\d{3}-(0[1-9]|1[0-2])$/.test(text) ? `${text}-01` : undefined;
