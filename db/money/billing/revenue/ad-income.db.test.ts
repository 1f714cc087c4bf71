import { afterEach, describe, expect, it } from 'vitest';
import { addImpressions, impressionsOf } from '../../../discovery/analytics/impressions.ts';
import { testDatabase } from '../../../testing/database.ts';
import type { AdNetwork, AdReport } from '../../ads/network.ts';
import { ownAdNetwork } from '../../ads/own-network.ts';
import { balances } from '../ledger.ts';
import { enterAdIncome } from './ad-income.ts';
import { incomes } from './income.ts';

const database = testDatabase();
afterEach(
  () =>
    database.sql`truncate ad_impressions, download_windows, revenue_incomes, ledger_entries, ledger_transactions, ledger_accounts cascade`,
);
/** Two hours and a minute after the 26th ended. */
const now = new Date('2026-11-27T02:01:00Z');
const own = (rate: number, day_max = 1_000_000) =>
  ownAdNetwork({ ads: [], files: new Map() }, { rate, day_max });
/** By a hundred people in each network, or all in one. */
const seen = async (day: string, count: number, ad_id = 'mugs', network?: string) => {
  const at = new Date(`${day}T12:00:00Z`);
  await database.sql.begin(
    async (tx) =>
      await addImpressions(
        tx,
        Array.from({ length: count }, (_, index) => ({
          ...{ ad_id, at, network: network ?? `10.0.${Math.floor(index / 100)}.0 ${ad_id}` },
        })),
        at,
      ),
  );
};
const entered = async () =>
  (await incomes(database.sql, 100)).map(({ day, amount_minor, fees_minor, impressions, reference }) => ({
    ...{ day, amount_minor, fees_minor, impressions, reference },
  }));

describe('income of own ads', () => {
  it('enters each day once with its impressions, whoever runs how often', async () => {
    await seen('2026-11-26', 1_500);
    await seen('2026-11-26', 500, 'plates');
    await seen('2026-11-24', 4_000);
    const runs = await Promise.all([1, 2, 3].map(() => enterAdIncome(database.sql, own(250), 100, now)));
    expect(runs.reduce((sum, { days }) => sum + days, 0)).toBe(2);
    expect(await enterAdIncome(database.sql, own(250), 100, now)).toEqual({
      ...{ days: 0, amount_minor: 0, refused: [], limited: [] },
    });
    expect(await entered()).toEqual([
      {
        ...{ day: '2026-11-26', amount_minor: 500, fees_minor: 20, impressions: 2_000 },
        reference: 'own:2026-11-26',
      },
      {
        ...{ day: '2026-11-24', amount_minor: 1_000, fees_minor: 40, impressions: 4_000 },
        reference: 'own:2026-11-24',
      },
    ]);
    const sums = await balances(database.sql);
    expect(sums).toHaveLength(2);
    expect(sums.reduce((sum, [, , balance]) => sum + balance, 0)).toBe(0);
  });

  it('waits until the last impressions of a day are written, and looks back a week', async () => {
    await seen('2026-11-26', 1_000);
    await seen('2026-11-20', 1_000);
    await seen('2026-11-19', 1_000);
    const early = await enterAdIncome(database.sql, own(100), 0, new Date('2026-11-27T01:59:00Z'));
    expect(early.days).toBe(2);
    expect((await entered()).map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-19']);
    expect((await enterAdIncome(database.sql, own(100), 0, now)).days).toBe(1);
    expect((await entered())[0]!.day).toBe('2026-11-26');
  });

  it('counts a network at most 120 times within six hours, however it sends', async () => {
    const at = (hour: number) => new Date(`2026-11-26T${hour}:00:00Z`);
    const flush = async (hour: number, count: number, network = '10.9.9.9') =>
      await database.sql.begin(async (tx) => {
        const one = { ad_id: 'mugs', at: at(hour), network };
        await addImpressions(
          tx,
          Array.from({ length: count }, () => one),
          at(hour),
        );
      });
    const counted = async () => await impressionsOf(database.sql, '2026-11-26');
    await flush(10, 60);
    await flush(11, 50);
    await flush(11, 5, '10.8.8.8');
    expect(await counted()).toBe(115);
    await flush(12, 60);
    await flush(13, 60);
    expect(await counted()).toBe(125);
    await flush(17, 500);
    expect(await counted()).toBe(245);
    expect(JSON.stringify(await database.sql`select * from download_windows`)).not.toContain('10.9.9.9');
  });

  it('is no more than the limit of a day, which is told', async () => {
    await seen('2026-11-26', 10_000);
    expect(await enterAdIncome(database.sql, own(200, 1_500), 0, now)).toEqual({
      ...{ days: 1, amount_minor: 1_500, refused: [], limited: ['2026-11-26 500 above the limit'] },
    });
    expect(await incomes(database.sql, 1)).toMatchObject([
      { amount_minor: 1_500, impressions: 10_000, note: 'limited: 500 more cents were left out' },
    ]);
  });

  it('is none without a rate, and none below a cent', async () => {
    await seen('2026-11-26', 9);
    expect((await enterAdIncome(database.sql, own(0), 0, now)).days).toBe(0);
    expect((await enterAdIncome(database.sql, own(100), 0, now)).days).toBe(0);
    expect(await entered()).toEqual([]);
  });

  it('names a day on which fees are more than income, and enters the others', async () => {
    const reports: Record<string, AdReport> = {
      '2026-11-25': { amount_minor: 1, impressions: 1_000_000 },
      '2026-11-26': { amount_minor: 700, impressions: 10 },
    };
    const network: AdNetwork = {
      ...{ name: 'elsewhere', adFor: () => null, has: () => false, files: new Map() },
      reportOf: async (_db, day) => reports[day] ?? null,
    };
    expect(await enterAdIncome(database.sql, network, 100, now)).toEqual({
      ...{ days: 1, amount_minor: 700, refused: ['2026-11-25 income_below_fees'], limited: [] },
    });
  });
});
