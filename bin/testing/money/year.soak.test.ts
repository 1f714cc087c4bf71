import { expect, it } from 'vitest';
import { soakOperations, soakSeed } from '#db/testing/soak.ts';
import { moneyTest } from './setup.ts';

const simulated = moneyTest();

it('a year of business of 1,000 people leaves books that agree, under 50 kills', async () => {
  const seed = `year ${soakSeed()}`;
  const days = soakOperations(365);
  const kills = Math.ceil((50 * days) / 365);
  const report = await simulated({ people: 1_000, subscriptions: 300, days, kills, seed });
  console.log(JSON.stringify(report, null, 2));
  expect(report.kills).toBe(kills);
  if (days < 365) return;
  expect(report.released_months).toBeGreaterThan(8);
  // a year in which one of these never happened proves nothing about it
  for (const kind of ['whole with', 'whole without', 'part with', 'part without'])
    expect(report.refunds_by_staff[`${kind} service`]).toBeGreaterThan(0);
  for (const kind of ['won', 'lost']) expect(report.disputes[kind]).toBeGreaterThan(0);
  for (const kind of ['success', 'cancelled', 'failed unclaimed', 'failed receiver_refuses'])
    expect(report.payouts[kind]).toBeGreaterThan(0);
  for (const kind of ['plus renewal', 'server renewal', 'server change'])
    expect(report.charges[`${kind} succeeded`]).toBeGreaterThan(0);
  expect([report.gone_with_money, report.price_changes].every((count) => count > 0)).toBe(true);
});
