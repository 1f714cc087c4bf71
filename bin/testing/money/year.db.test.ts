import { expect, it } from 'vitest';
import { moneyTest } from './setup.ts';

const simulated = moneyTest();

/** `npm run soak -- year`: a year of 1,000 people. */
it('days of business leave books that agree, under kills', async () => {
  const size = { people: 16, subscriptions: 8, days: 14, kills: 2 };
  const report = await simulated({ ...size, first: '2026-12-24', seed: 'days' });
  expect(report.kills).toBe(2);
  expect(report.succeeded).toBeGreaterThan(6);
  expect(report.payouts.success).toBeGreaterThan(0);
}, 120_000);
