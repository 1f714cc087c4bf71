import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { newId } from '../../platform/id.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { earn, payoutContext, withdrawal } from '../../testing/payouts.ts';
import { type PaypalSimulator, paypalKeys, paypalSimulator } from '../../testing/paypal/simulator.ts';
import type { WithdrawalContext } from './payout-context.ts';
import type { PayoutProvider } from './provider.ts';
import { paypalPayouts } from './providers/paypal/adapter.ts';
import { reconcilePayouts } from './reconcile.ts';
import { requestPayout } from './request.ts';
import { checkPayout } from './send.ts';

const database = testDatabase();
const now = new Date();
const hour = 3_600_000;
let paypal: PaypalSimulator;
let provider: PayoutProvider;
let context: WithdrawalContext;

beforeAll(async () => {
  paypal = await paypalSimulator();
  provider = paypalPayouts({ ...paypalKeys, PAYPAL_API_URL: paypal.address }, { timeout: 700 });
  context = payoutContext(database.sql, provider);
});
afterAll(() => paypal.close());
beforeEach(async () => {
  await database.sql`update payouts set created = created - interval '90 days'`;
  for (const item of paypal.account.items()) item.created -= 90 * 24 * hour;
});

/** A payout of somebody else, sent and asked for. */
async function pay(address = 'good@example.org'): Promise<string> {
  const actor = build.actorFor(await build.user(database.sql));
  await database.sql`update users set email_verified = true where id = ${actor.user_id}`;
  await earn(database.sql, actor.user_id, 5_000, now);
  const { id } = await requestPayout(context, actor, withdrawal({ address }), now);
  await checkPayout(context, id, now);
  return id;
}
const compare = async (given = {}) =>
  await reconcilePayouts(database.sql, [provider], {
    ...{ from: new Date(now.getTime() - hour), until: new Date(now.getTime() + hour), ...given },
  });
const nothing = { missing_at_provider: 0, missing_here: 0, amount: 0, state: 0 };

it('finds nothing when all agree, also what failed, came back or waits', async () => {
  for (const address of [
    'good@example.org',
    'stranger@example.org',
    'slow@example.org',
    'locked@example.org',
  ])
    await pay(address);
  const { providers, lines } = await compare();
  expect(lines).toEqual([]);
  expect(providers).toEqual([{ provider: 'paypal', ours: 4, agree: 4, others: 0, differences: nothing }]);
});

it('finds what is missing on either side, and other amounts and states', async () => {
  const [amount, state, lost, stray] = [await pay(), await pay(), await pay(), await pay()];
  paypal.account.itemOf(amount)!.payout_item.amount.value = '1.00';
  await database.sql`update payouts set state = 'failed' where id = ${state}`;
  const [batch] = [...paypal.account.batches].find(([, { item }]) => item?.sender_batch_id === lost)!;
  paypal.account.batches.delete(batch);
  paypal.account.itemOf(stray)!.payout_item.sender_item_id = newId();
  const { providers, lines } = await compare();
  expect(new Set(lines.map(({ kind, key, ours, theirs }) => [kind, key, ours, theirs].join(' ')))).toEqual(
    new Set([
      `amount ${amount} 9.80 success 1.00 success`,
      `state ${state} 9.80 failed 9.80 success`,
      `missing_at_provider ${lost} 9.80 success `,
      `missing_here ${paypal.account.itemOf(stray)!.payout_item.sender_item_id}  9.80 success`,
    ]),
  );
  // the payout whose key is lost is found when it is asked for by itself
  expect(providers[0]).toMatchObject({
    ours: 4,
    agree: 1,
    differences: { missing_here: 1, amount: 1, state: 1 },
  });
});

it('does not count what others pay from the account, and what was made at other times', async () => {
  const [foreign] = [await pay()];
  paypal.account.itemOf(foreign)!.payout_item.sender_item_id = 'Payroll 2026-11';
  const { providers, lines } = await compare();
  expect(lines).toEqual([]);
  expect(providers[0]).toMatchObject({ ours: 1, agree: 1, others: 1 });
  const later = new Date(now.getTime() + 2 * hour);
  expect(
    (await compare({ from: later, until: new Date(later.getTime() + hour) })).providers[0],
  ).toMatchObject({
    ...{ ours: 0, differences: nothing },
  });
});

it('lists a hundred lines and counts all', async () => {
  const sent = Array.from({ length: 130 }, () => ({ key: newId() }));
  for (const { key } of sent)
    await provider.send({
      ...{ key, method_id: 'paypal', amount_minor: 100, currency: null, now },
      receiver: { user_id: newId(), name: 'Ada', country: 'DE', address: 'good@example.org' },
    });
  const { providers, lines } = await compare();
  expect(lines).toHaveLength(100);
  expect(providers[0]!.differences.missing_here).toBe(130);
});

it('refuses while the provider is gone', async () => {
  await pay();
  paypal.down = true;
  await expect(compare()).rejects.toMatchObject({ code: 'payouts_unreachable' });
  paypal.down = false;
});
