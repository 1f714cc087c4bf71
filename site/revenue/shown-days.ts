import type { RevenueRow } from '#db/billing/revenue/series.ts';

/** Times that the screen shows, in days. */
export const shownDays = [30, 90, 365] as const;

/** The time that a query asks for; a month unless it names another one. */
export const shownDaysOf = (query: URLSearchParams): (typeof shownDays)[number] =>
  shownDays.find((days) => String(days) === query.get('days')) ?? 30;

/** Millionths of a dollar in one cent. */
const micros = 10_000;

/** Cents of each of `days` days, and of each project, the most first. */
export function earnedOf(
  rows: readonly RevenueRow[],
  days: number,
): { cents: number[]; projects: Array<{ id: string; cents: number }> } {
  const cents = Array.from({ length: days }, () => 0);
  const projects = new Map<string, number>();
  for (const { slice, project_id = '', micros: amount } of rows) {
    cents[slice] = (cents[slice] ?? 0) + amount / micros;
    projects.set(project_id, (projects.get(project_id) ?? 0) + amount / micros);
  }
  return {
    cents,
    projects: [...projects]
      .map(([id, sum]) => ({ id, cents: sum }))
      .sort((one, other) => other.cents - one.cents),
  };
}
