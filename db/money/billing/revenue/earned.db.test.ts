import { expect, it } from 'vitest';
import { newId } from '../../../platform/id.ts';
import { testDatabase } from '../../../testing/database.ts';
import { earnedBy, maxEarningProjects } from './earned.ts';

const database = testDatabase();

/** Shares of somebody: project `p<n>` earns n + 1 millionths on each of `days` days from `first` on; a neighbor as much. */
async function share(first: string, days: number, projects: number): Promise<string> {
  const { sql } = database;
  const [person, neighbor] = [newId(), newId()];
  await sql`
    with made as (
      insert into revenue_divisions (day, period, amount_minor, fees_minor, kept_minor, shared_minor, points, created)
      select ${first}::date + n, date_trunc('month', ${first}::date + n)::date, 1000, 0, 0, 1000, 1, now()
      from generate_series(0, ${days}::int - 1) n returning id
    )
    insert into revenue_shares (division_id, project_id, user_id, amount_micros)
    select made.id, 'p' || project, person, project + 1
    from made, generate_series(0, ${projects}::int - 1) project, unnest(${[person, neighbor]}::text[]) person`;
  return person;
}

it('adds up 140 projects over a year, which are more than 50,000 shares', async () => {
  const person = await share('2025-11-28', 367, 140);
  const { days, projects, others_micros } = await earnedBy(database.sql, person, '2025-11-29', 365);
  expect(days).toEqual(Array.from({ length: 365 }, (_, day) => ({ day, micros: (140 * 141) / 2 })));
  expect(projects).toHaveLength(140);
  expect(projects[0]).toEqual({ project_id: 'p139', micros: 140 * 365 });
  expect(projects.at(-1)).toEqual({ project_id: 'p0', micros: 365 });
  expect(others_micros).toBe(0);
});

it('tells so many projects apart, and the sum of the others', async () => {
  const person = await share('2024-02-28', 2, maxEarningProjects + 3);
  const { days, projects, others_micros } = await earnedBy(database.sql, person, '2024-02-28', 30);
  const all = ((maxEarningProjects + 3) * (maxEarningProjects + 4)) / 2;
  expect(days).toEqual([
    { day: 0, micros: all },
    { day: 1, micros: all },
  ]);
  expect(projects).toHaveLength(maxEarningProjects);
  expect(others_micros).toBe((1 + 2 + 3) * 2);
});

it('is nothing for somebody who earned nothing', async () => {
  expect(await earnedBy(database.sql, newId(), '2025-11-29', 365)).toEqual({
    ...{ days: [], projects: [], others_micros: 0 },
  });
});
