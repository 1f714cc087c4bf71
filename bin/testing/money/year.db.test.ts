import { expect, it } from 'vitest';
import { moneyTest } from './setup.ts';

const simulated = moneyTest();

it('weeks of business leave books that agree, under kills', async () => {
  const report = await simulated({ people: 30, subscriptions: 12, days: 40, kills: 4, seed: 'weeks' });
  expect(report.kills).toBe(4);
  expect(report.succeeded).toBeGreaterThan(12);
  expect(report.payouts.success).toBeGreaterThan(0);
}, 120_000);
