import { expect, it } from 'vitest';
import { moneyTest } from './setup.ts';

const simulated = moneyTest();

it('a year of business of 1,000 people leaves books that agree, under 50 kills', async () => {
  const report = await simulated({ people: 1_000, subscriptions: 300, days: 365, kills: 50, seed: 'year' });
  console.log(JSON.stringify(report, null, 2));
  expect(report.kills).toBe(50);
  expect(report.released_months).toBeGreaterThan(8);
});
