import { describe, expect, it } from 'vitest';
import { actorFor, user } from '../../../testing/builders/build.ts';
import { server } from '../../../testing/builders/hosting.ts';
import { testDatabase } from '../../../testing/database.ts';
import { figuresOf } from './read.ts';
import { removeOldFigures, rollUpFigures } from './roll-up.ts';
import { type Minute, storeMinutes } from './write.ts';

/** Minutes become ten-minutes and hours, once, late ones included, and go when they are old. */
const database = testDatabase();
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const begin = Date.UTC(2026, 10, 21, 12);

const at = (ms: number, server_id: string, given: Partial<Minute> = {}): Minute => ({
  ...{ server_id, at: ms, cpu: 50, cpu_most: 60, ram_mb: 1_000, disk_mb: 20, received: 100, sent: 200 },
  ...{ tick_ms: null, players: 2, samples: 6, ...given },
});
async function rented() {
  const owner = await user(database.sql);
  return { actor: actorFor(owner), server_id: await server(database.sql, owner) };
}
const read = (
  { actor, server_id }: Awaited<ReturnType<typeof rented>>,
  range: 'day' | 'week' | 'month',
  now: number,
) => figuresOf(database.sql, actor, { server_id, range }, new Date(now));

describe('figures of a server', () => {
  it('are minutes with gaps for a day, and are seen by those on it only', async () => {
    const rent = await rented();
    await storeMinutes(database.sql, [
      at(begin, rent.server_id),
      at(begin + 2 * minute, rent.server_id, { cpu: 80, players: null }),
    ]);
    const { series, from, step_s, limits } = await read(rent, 'day', begin + 3 * minute);
    expect({ from, step_s }).toEqual({ from: new Date(begin + 3 * minute - day).toISOString(), step_s: 60 });
    expect(series.cpu.slice(-4)).toEqual([null, 50, null, 80]);
    expect(series.players.slice(-3)).toEqual([2, null, null]);
    expect(series.cpu).toHaveLength(1_440);
    expect(limits.ram_mb).toBeGreaterThan(0);
    const other = await rented();
    await expect(read({ ...other, server_id: rent.server_id }, 'day', begin)).rejects.toMatchObject({
      code: 'server_not_found',
    });
  });

  it('that two planes measured in one minute are the mean of both; stored again they stay', async () => {
    const rent = await rented();
    await storeMinutes(database.sql, [at(begin, rent.server_id, { cpu: 10, samples: 2 })]);
    const rest = at(begin, rent.server_id, { cpu: 40, samples: 4, cpu_most: 99, players: 5 });
    await storeMinutes(database.sql, [rest]);
    const { series } = await read(rent, 'day', begin + minute);
    expect([series.cpu.at(-1), series.cpu_most.at(-1), series.players.at(-1)]).toEqual([30, 99, 5]);
    const again = await rented();
    const same = at(begin, again.server_id);
    await storeMinutes(database.sql, [same]);
    await storeMinutes(database.sql, [same]);
    expect((await read(again, 'day', begin + minute)).series.cpu.at(-1)).toBe(50);
  });
});

describe('rolling up', () => {
  it('counts every minute once, however often it runs, and late ones', async () => {
    const { sql } = database;
    await sql`truncate server_minutes`;
    const rent = await rented();
    const minutes = Array.from({ length: 60 }, (_, i) => at(begin + i * minute, rent.server_id, { cpu: i }));
    await storeMinutes(sql, minutes.slice(0, 30));
    const after = new Date(begin + hour + 4 * minute);
    expect(await rollUpFigures(sql, after)).toBe(1);
    expect(await rollUpFigures(sql, after)).toBe(0);
    await storeMinutes(sql, minutes.slice(30)); // Postgres was away for some of its planes
    expect(await rollUpFigures(sql, new Date(begin + 2 * hour + 4 * minute))).toBe(1);
    await sql`delete from server_minutes where server_id = ${rent.server_id}`;
    const week = await read(rent, 'week', begin + 6 * hour);
    const first = (begin - Date.parse(week.from)) / 600_000;
    expect(
      week.series.cpu.slice(first, first + 7).map((value) => value && Math.round(value * 10) / 10),
    ).toEqual([...[4.5, 14.5, 24.5, 34.5, 44.5, 54.5, null]]);
    const month = await read(rent, 'month', begin + 6 * hour);
    expect(month.series.cpu[(begin - Date.parse(month.from)) / hour]).toBeCloseTo(29.5, 1);
    expect(month.series.cpu.filter((value) => value !== null)).toHaveLength(1);
  });

  it('reads hours that are not rolled up yet from their minutes', async () => {
    const rent = await rented();
    await storeMinutes(database.sql, [at(begin, rent.server_id, { cpu: 7 })]);
    const { series } = await read(rent, 'month', begin + hour + minute);
    expect(series.cpu.at(-1)).toBe(7);
  });

  it('leaves a deleted server out', async () => {
    const { sql } = database;
    const rent = await rented();
    await storeMinutes(sql, [at(begin, rent.server_id)]);
    await sql`delete from servers where id = ${rent.server_id}`;
    await rollUpFigures(sql, new Date(begin + hour));
    const rows = await sql`select from server_hours where server_id = ${rent.server_id}`;
    expect(rows).toHaveLength(0);
  });
});

it('minutes go a day after they were, hours after 30 days', async () => {
  const { sql } = database;
  const rent = await rented();
  await sql`truncate server_minutes`;
  await sql`delete from server_hours`;
  const count = async () =>
    (await sql<{ count: number }[]>`select count(*)::int as count from server_minutes`)[0]!.count;
  await storeMinutes(sql, [at(begin, rent.server_id), at(begin + day, rent.server_id)]);
  await rollUpFigures(sql, new Date(begin + hour));
  await removeOldFigures(sql, new Date(begin + day + hour));
  expect(await count()).toBe(2);
  // the day after the next begins with the partition of the first day
  await removeOldFigures(sql, new Date(begin + 2 * day));
  expect(await count()).toBe(1);
  expect(await removeOldFigures(sql, new Date(begin + 30 * day))).toBe(0);
  expect(await removeOldFigures(sql, new Date(begin + 31 * day))).toBe(1);
});
