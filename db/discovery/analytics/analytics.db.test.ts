import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { propertyRuns } from '../../testing/soak.ts';
import { countInWindows } from './networks.ts';
import { readBreakdown, readSeries, tableOf } from './read.ts';
import { type AnalyticsRecord, insertRecords } from './records.ts';
import { removeOldAnalytics, rollUp } from './roll-up.ts';

const database = testDatabase();
const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;
const now = new Date('2026-03-10T15:30:00Z');
const keep = { records_d: 35, hours_d: 100, days_d: 0 };
const clear = () =>
  database.sql`truncate analytics_records, analytics_hours, analytics_days, analytics_totals, analytics_changed, analytics_changed_days`;
beforeEach(clear);
afterEach(clear);

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

function records(count: number, seed: number, within_ms = 3 * day_ms): AnalyticsRecord[] {
  const next = numbers(seed);
  const pick = <T>(values: readonly T[]): T => values[next(values.length)]!;
  return Array.from({ length: count }, () => ({
    kind: pick(['view', 'download', 'playtime'] as const),
    at: new Date(now.getTime() - next(within_ms)),
    amount: 1 + next(3),
    project_id: pick(['', 'One11111', 'Two22222']),
    version_id: pick(['', 'Old11111', 'New22222']),
    country: pick(['XX', 'DE', 'US']),
    loader: pick(['', 'fabric', 'forge']),
    monetized: pick([true, false]),
  }));
}
const insert = (rows: AnalyticsRecord[]) => database.sql.begin(async (tx) => await insertRecords(tx, rows));
const sumsOf = async (table: string, slice: 'hour' | 'day') => {
  const { sql } = database;
  return await sql`
    select date_trunc(${slice}, at, 'UTC') as at, kind, project_id, version_id, country, loader, monetized, sum(amount)::int as amount
    from ${sql(table)} group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`;
};

describe('sums of hours and days', () => {
  test.each(Array.from({ length: propertyRuns(2) }, (_, index) => index + 1))(
    'are those of all records, late ones too, and stay when summed again (%i)',
    async (seed) => {
      const all = records(300, seed);
      const next = numbers(seed);
      for (let at = 0; at < all.length; ) {
        const batch = 1 + next(90);
        await insert(all.slice(at, at + batch));
        at += batch;
        if (next(2) === 0) await rollUp(database.sql, now, keep);
      }
      await rollUp(database.sql, now, keep);
      for (let i = 0; i < 2; i++) {
        expect(await sumsOf('analytics_hours', 'hour')).toEqual(await sumsOf('analytics_records', 'hour'));
        expect(await sumsOf('analytics_days', 'day')).toEqual(await sumsOf('analytics_records', 'day'));
        await database.sql`insert into analytics_changed (hour) select distinct at from analytics_hours`;
        await rollUp(database.sql, now, keep);
      }
      const [total] = await database.sql`select sum(amount)::int as amount from analytics_totals`;
      expect(total!.amount).toBe(all.reduce((sum, { amount = 1 }) => sum + amount, 0));
      expect(await rollUp(database.sql, now, keep)).toEqual({ hours: 0, days: 0 });
    },
  );

  test('know of a batch that is written while they are made, and two at once add nothing', async () => {
    await insert(records(50, 7, hour_ms));
    const late = database.sql.begin(async (tx) => {
      await insertRecords(tx, records(50, 8, hour_ms));
      await new Promise((done) => setTimeout(done, 300));
    });
    await Promise.all([rollUp(database.sql, now, keep), rollUp(database.sql, now, keep), late]);
    await Promise.all([rollUp(database.sql, now, keep), rollUp(database.sql, now, keep)]);
    expect(await sumsOf('analytics_hours', 'hour')).toEqual(await sumsOf('analytics_records', 'hour'));
    expect(await sumsOf('analytics_days', 'day')).toEqual(await sumsOf('analytics_records', 'day'));
  });

  test('stay when their records are removed, a day at a time', async () => {
    await insert(records(100, 9, 40 * day_ms));
    await rollUp(database.sql, new Date(now.getTime() - 10 * day_ms), keep);
    await rollUp(database.sql, now, keep);
    const days = await sumsOf('analytics_days', 'day');
    expect(
      await removeOldAnalytics(database.sql, now, { records_d: 5, hours_d: 10, days_d: 20 }),
    ).toBeGreaterThan(30);
    const left = await sumsOf('analytics_days', 'day');
    expect(left).toEqual(days.filter(({ at }) => Date.parse(at) >= Date.parse('2026-02-18')));
    const [oldest] = await database.sql`select min(at) as at from analytics_records`;
    expect(Date.parse(oldest!.at)).toBeGreaterThanOrEqual(Date.parse('2026-03-05'));
    // an hour whose records are gone is not summed up again
    await database.sql`insert into analytics_changed (hour) values ('2026-02-20T10:00:00Z')`;
    await rollUp(database.sql, now, { records_d: 5 });
    expect(await sumsOf('analytics_days', 'day')).toEqual(left);
  });
});

describe('a series', () => {
  const from = new Date('2026-03-08T00:00:00Z');
  test.each([
    ['minutes', 60_000, 'analytics_records', now.getTime() - hour_ms],
    ['hours', hour_ms, 'analytics_hours', from.getTime()],
    ['ninety minutes', 1.5 * hour_ms, 'analytics_hours', from.getTime()],
    ['days', day_ms, 'analytics_totals', from.getTime()],
  ] as const)('of %s is the sum of its records', async (_, slice_ms, table, begins) => {
    const all = records(400, 11, 2 * day_ms);
    await insert(all);
    await rollUp(database.sql, now, keep);
    const query = { from: new Date(begins), until: now, slice_ms };
    expect(tableOf(query, now, keep)).toBe(table);
    const rows = await readSeries(
      database.sql,
      { ...query, kind: 'download', project_ids: ['One11111'] },
      now,
      keep,
    );
    const sums = new Map<number, number>();
    for (const { at, amount = 1, kind, project_id } of all) {
      if (kind !== 'download' || project_id !== 'One11111' || at.getTime() < begins) continue;
      // sums of hours go to the slice in which their hour begins
      const from_ms =
        table === 'analytics_hours' ? Math.floor(at.getTime() / hour_ms) * hour_ms : at.getTime();
      const slice = Math.floor((from_ms - begins) / slice_ms);
      sums.set(slice, (sums.get(slice) ?? 0) + amount);
    }
    expect(rows.map(({ slice, amount }) => [slice, amount])).toEqual([...sums].sort(([a], [b]) => a - b));
  });

  test('is told apart and chosen by what records say', async () => {
    const all = records(300, 12, 2 * day_ms);
    await insert(all);
    await rollUp(database.sql, now, keep);
    const query = { kind: 'download', project_ids: null, from, until: now } as const;
    const rows = await readSeries(
      database.sql,
      {
        ...query,
        slice_ms: day_ms,
        by: ['project_id', 'country'],
        only: { loader: ['fabric'], monetized: ['true'] },
      },
      now,
      keep,
    );
    const chosen = all.filter(
      ({ kind, loader, monetized }) => kind === 'download' && loader === 'fabric' && monetized,
    );
    const sum = (list: AnalyticsRecord[]) => list.reduce((amount, record) => amount + record.amount!, 0);
    expect(rows.reduce((amount, row) => amount + row.amount, 0)).toBe(sum(chosen));
    const germany = rows.filter((row) => row.country === 'DE' && row.project_id === 'One11111');
    expect(germany.reduce((amount, row) => amount + row.amount, 0)).toBe(
      sum(chosen.filter(({ country, project_id }) => country === 'DE' && project_id === 'One11111')),
    );
    const countries = await readBreakdown(database.sql, { ...query, by: 'country', most: 2 }, now, keep);
    expect(countries).toHaveLength(2);
    expect(countries[0]!.amount).toBeGreaterThanOrEqual(countries[1]!.amount);
  });

  test('of a thousand years by the minute is empty, not endless', async () => {
    const query = {
      kind: 'view',
      project_ids: null,
      from: new Date(0),
      until: new Date('2970-01-01'),
      slice_ms: 60_000,
    } as const;
    expect(await readSeries(database.sql, query, now, keep)).toEqual([]);
  });
});

test('a window of six hours goes on at midnight, when the key changes', async () => {
  const rules = { purpose: 'download', most: 2, renews: false } as const;
  const seen = [{ network: '192.0.2.1', project_id: 'One11111' }];
  const times = [
    '2026-03-09T22:00:00Z',
    '2026-03-10T00:30:00Z',
    '2026-03-10T01:00:00Z',
    '2026-03-10T04:30:00Z',
  ];
  const counted = [];
  for (const time of times)
    counted.push(
      (await database.sql.begin(async (tx) => await countInWindows(tx, seen, rules, new Date(time)))).length,
    );
  expect(counted).toEqual([1, 1, 0, 1]);
  await database.sql.begin(
    async (tx) => await countInWindows(tx, seen, rules, new Date('2026-03-12T01:00:00Z')),
  );
  const days = await database.sql`select day::text as day from analytics_keys order by day`;
  expect(days.map(({ day }) => day)).toEqual(['2026-03-12']);
});
