import { expect, it } from 'vitest';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, ScriptedPayouts, withdrawal } from '../../testing/payouts.ts';
import { balances } from '../billing/ledger.ts';
import { balanceOf } from '../billing/revenue/balance.ts';
import { reconcileLedger } from '../billing/revenue/reconcile.ts';
import type { PayoutProvider } from './provider.ts';
import { payoutsOf } from './read.ts';
import { requestPayout } from './request.ts';
import { returnTrials } from './trials.ts';

const database = testDatabase();
const now = new Date('2026-11-27T08:00:00Z');
const named = (name: PayoutProvider['name']): PayoutProvider =>
  Object.assign(new ScriptedPayouts(), { name });

it('what was withdrawn at a sandbox returns once it is not in use any more, and real withdrawals stay', async () => {
  const person = await user(database.sql);
  await earn(database.sql, person.id, 10_000, now);
  const run = async (...providers: PayoutProvider[]) =>
    await returnTrials(payoutContext(database.sql, ...providers), now, 100);
  const withdraw = async (provider: PayoutProvider) =>
    await requestPayout(payoutContext(database.sql, provider), actorFor(person), withdrawal(), now);
  const available = async () => (await balanceOf(database.sql, person.id, now)).available_minor;
  const [sandbox, tremendous, live] = [named('paypal_test'), named('tremendous_test'), named('paypal')];
  const trial = await withdraw(sandbox);
  await withdraw(tremendous);
  await withdraw(live);
  expect(await available()).toBe(7_000);

  expect(await run(sandbox, tremendous)).toBe(0);
  expect(await run(live, tremendous)).toBe(1);
  expect(await available()).toBe(8_000);
  expect((await payoutsOf(database.sql, person.id)).find(({ id }) => id === trial.id)).toMatchObject({
    state: 'failed',
    failure: 'trial',
  });
  expect([await run(live), await run(live)]).toEqual([1, 0]);
  expect(await available()).toBe(9_000);
  const differs = (await reconcileLedger(database.sql)).map(({ what }) => what);
  expect(differs, 'only what the test credited without income').toEqual(['remainder:creators']);
  expect((await balances(database.sql)).filter(([name]) => name.startsWith('payout:'))).toEqual([
    ['payout:paypal', 'USD', -980],
  ]);
});
