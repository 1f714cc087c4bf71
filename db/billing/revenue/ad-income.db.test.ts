import { afterEach, describe, expect, it } from 'vitest';
import { addImpressions } from '../../ads/impressions.ts';
import type { AdNetwork, AdReport } from '../../ads/network.ts';
import { ownAdNetwork } from '../../ads/own-network.ts';
import { testDatabase } from '../../testing/database.ts';
import { balances } from '../ledger.ts';
import { enterAdIncome } from './ad-income.ts';
import { incomes } from './income.ts';

const database = testDatabase();
afterEach(
  () =>
    database.sql`truncate ad_impressions, revenue_incomes, ledger_entries, ledger_transactions, ledger_accounts cascade`,
);
/** Two hours and a minute after the 26th ended. */
const now = new Date('2026-11-27T02:01:00Z');
const own = (rate: number) => ownAdNetwork({ ads: [], files: new Map() }, rate);
const seen = async (day: string, count: number, ad_id = 'mugs') =>
  await database.sql.begin(
    async (tx) =>
      await addImpressions(
        tx,
        Array.from({ length: count }, () => ({ ad_id, at: new Date(`${day}T12:00:00Z`) })),
      ),
  );
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
      ...{ days: 0, amount_minor: 0, refused: [] },
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
      ...{ days: 1, amount_minor: 700, refused: ['2026-11-25 income_below_fees'] },
    });
  });
});
