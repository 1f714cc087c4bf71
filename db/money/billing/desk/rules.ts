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

/** Months in UTC by their first days, such as `2026-11-01`; both are in the range. */
export interface MonthRange {
  from: string;
  until: string;
}

/** Months of a report that nobody chose, and the most that one has. */
const report_months = 12;
export const maxReportMonths = 60;

/**
 * The months of a report as they were typed (`2026-11`), in either order. Without an end it ends this month; without a
 * beginning it has twelve months. It ends with what was typed and has `maxReportMonths` at most.
 */
export function reportRange(from: string, until: string, now: Date): MonthRange {
  const end = firstOfMonth(until) ?? firstOfMonth(now.toISOString().slice(0, 7))!;
  const begin = firstOfMonth(from);
  if (begin === undefined) return { from: monthsBefore(end, report_months - 1), until: end };
  // the other way round the same months are meant
  const [first, last] = begin > end ? [end, begin] : [begin, end];
  const earliest = monthsBefore(last, maxReportMonths - 1);
  return { from: first < earliest ? earliest : first, until: last };
}

/** The first day of the month that comes so many months before another; a negative number leads to later ones. */
export function monthsBefore(first: string, months: number): string {
  const [year, month] = first.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}
