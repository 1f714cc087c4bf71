import type { Earned } from '#db/money/billing/revenue/earned.ts';

/** Times that the screen shows, in days. */
export const shownDays = [30, 90, 365] as const;

/** The time that a query asks for; a month unless it names another one. */
export const shownDaysOf = (query: URLSearchParams): (typeof shownDays)[number] =>
  shownDays.find((days) => String(days) === query.get('days')) ?? 30;

/** Millionths of a dollar in one cent. */
const micros_per_cent = 10_000;

/** Cents of each of `days` days; of each of the projects with `names`, the most first; and of all others together. */
export function centsOf(
  earned: Earned,
  days: number,
  names: ReadonlyMap<string, unknown>,
): { cents: number[]; projects: Array<{ id: string; cents: number }>; others: number } {
  const cents = Array.from({ length: days }, () => 0);
  for (const { day, micros } of earned.days) cents[day] = micros / micros_per_cent;
  const [named, unnamed] = [true, false].map((wanted) =>
    earned.projects.filter(({ project_id }) => names.has(project_id) === wanted),
  ) as [Earned['projects'], Earned['projects']];
  return {
    cents,
    projects: named.map(({ project_id, micros }) => ({ id: project_id, cents: micros / micros_per_cent })),
    others: unnamed.reduce((sum, { micros }) => sum + micros, earned.others_micros) / micros_per_cent,
  };
}
