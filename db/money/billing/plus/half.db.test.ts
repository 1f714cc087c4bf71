import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { insertRecords } from '../../../discovery/analytics/records.ts';
import { rollUp } from '../../../discovery/analytics/roll-up.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { signWebhook, slowCard, testBilling, testCard } from '../../../testing/billing.ts';
import { actorFor, member, project, user } from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { collectCharge, handleWebhook } from '../checkout.ts';
import { applyDispute } from '../disputes.ts';
import { balances } from '../ledger.ts';
import type { Dispute } from '../payments.ts';
import { buyPlus } from '../plus-orders/checkout.ts';
import { sandboxPayments } from '../processors/sandbox.ts';
import { dueSubscriptions, processDue } from '../renewals.ts';
import { divideRevenue } from '../revenue/divide.ts';
import { reconcileLedger } from '../revenue/reconcile.ts';
import { refundByStaff } from '../staff-refunds/write.ts';
import { takeHalfBack } from './half.ts';

const database = testDatabase();
/** Sells for money: a test payment gives creators nothing. */
const till = Object.assign(testBilling(database), {
  payments: { ...sandboxPayments, name: 'live', test: false },
});
const start = new Date('2026-01-31T12:00:00Z');
const renews = new Date('2026-02-28T12:00:01Z');
const good = testCard('4242424242424242');
let actor: Actor;
beforeEach(async () => {
  await database.sql`truncate analytics_records, analytics_hours, analytics_days, analytics_totals, analytics_changed,
    analytics_changed_days, revenue_incomes, revenue_divisions, revenue_shares, ledger_entries, ledger_transactions,
    ledger_accounts, team_members, projects, charges, subscriptions cascade`;
  actor = actorFor(await user(database.sql));
});

const subscribe = (interval = 'monthly', currency = 'USD', card = good) =>
  buyPlus(till, actor, { op_id: randomUUID(), interval, currency }, card, start);
const entered = async () =>
  (
    await database.sql<Array<{ line: string }>>`
      select day || ' ' || source || ' ' || amount_minor || ' ' || currency as line from revenue_incomes order by day, id`
  ).map(({ line }) => line);
const sums = async () =>
  Object.fromEntries(
    (await balances(database.sql)).map(([name, currency, sum]) => [`${name} ${currency}`, sum]),
  );
async function assertBalanced(): Promise<void> {
  expect(await reconcileLedger(database.sql)).toEqual([]);
  const totals = new Map<string, number>();
  for (const [, currency, sum] of await balances(database.sql))
    totals.set(currency, (totals.get(currency) ?? 0) + sum);
  expect([...totals.values()].every((sum) => sum === 0)).toBe(true);
}
const paid = async () => {
  const [row] = await database.sql<Array<{ id: string; intent_id: string; amount_minor: number }>>`
    select id, intent_id, amount_minor from charges where user_id = ${actor.user_id} order by created limit 1`;
  return row!;
};
/** A day of views of one creator, so that what was earned by then is divided. */
async function divide(day: string, now: Date): Promise<void> {
  const { id, team } = await project(database.sql);
  await member(database.sql, team, await user(database.sql));
  const at = new Date(`${day}T10:00:00Z`);
  await database.sql.begin((tx) =>
    insertRecords(tx, [{ kind: 'view', amount: 1, project_id: id, monetized: true, at }]),
  );
  await rollUp(database.sql, now, { records_d: 400 });
  await divideRevenue(database.sql, now);
}

describe('half of Plus', () => {
  it.each([
    ['monthly', 'EUR', 499, 250],
    ['quarterly', 'USD', 1200, 600],
    ['yearly', 'JPY', 7500, 2500],
    ['monthly', 'KWD', 1520, 250],
  ])(
    'of a period %s in %s is in US dollars by the table of prices',
    async (interval, currency, price, half) => {
      await subscribe(interval, currency);
      expect(await entered()).toEqual([`2026-01-31 plus ${half} USD`]);
      expect(await sums()).toEqual({
        [`income:plus ${currency}`]: -price,
        [`processor:live ${currency}`]: price,
        'source:plus USD': half,
        'undivided:creators USD': -half,
      });
      await assertBalanced();
    },
  );

  it('comes once for each paid period, however often outcomes and renewals are repeated', async () => {
    await subscribe();
    const run = async () => {
      for (const id of await dueSubscriptions(database.sql, renews, 10)) {
        const { charge_id } = await database.sql.begin((tx) => processDue(tx, id, 'live', renews));
        if (charge_id) await Promise.all([1, 2].map(() => collectCharge(till, charge_id, renews)));
      }
    };
    await Promise.all([run(), run()]);
    await run();
    for (const { id } of await database.sql<Array<{ id: string }>>`select id from charges`)
      await collectCharge(till, id, renews);
    expect(await entered()).toEqual(['2026-01-31 plus 250 USD', '2026-02-28 plus 250 USD']);
    await assertBalanced();
  });

  it('comes with a webhook that says a waiting payment succeeded, once', async () => {
    await subscribe('monthly', 'USD', slowCard);
    expect(await entered()).toEqual([]);
    const { intent_id } = await paid();
    const body = JSON.stringify({
      id: randomUUID(),
      outcome: { intent_id, state: 'succeeded', failure: null },
    });
    const signature = await signWebhook(database.sql, body, start);
    for (let turn = 0; turn < 2; turn++) await handleWebhook(till, signature, body, start);
    expect(await entered()).toEqual(['2026-01-31 plus 250 USD']);
    await assertBalanced();
  });

  it('is not for a payment that brings no money', async () => {
    for (const name of ['test', 'stripe_test']) {
      const payments = { ...sandboxPayments, name };
      const who = actorFor(await user(database.sql));
      await buyPlus(
        { ...till, payments },
        who,
        { op_id: randomUUID(), interval: 'yearly', currency: 'USD' },
        good,
        start,
      );
    }
    expect(await entered()).toEqual([]);
    expect(await sums()).toMatchObject({ 'processor:test USD': 4999, 'processor:stripe_test USD': 4999 });
    await assertBalanced();
  });

  it('is not for a payment that failed, nor for one that came too late', async () => {
    await expect(subscribe('monthly', 'USD', testCard('4000000000000002'))).rejects.toMatchObject({
      code: 'payment_declined',
    });
    await subscribe('monthly', 'USD', slowCard);
    await database.sql`update subscriptions set state = 'ended'`;
    const { id } = (
      await database.sql<Array<{ id: string }>>`select id from charges where state = 'waiting'`
    )[0]!;
    await collectCharge(till, id, renews);
    expect(await entered()).toEqual([]);
    expect(await sums()).toEqual({});
    await assertBalanced();
  });
});

describe('the half of a disputed or refunded charge', () => {
  const dispute = async (given: Partial<Dispute>) => {
    const { intent_id, amount_minor } = await paid();
    const one = {
      id: 'dp_1',
      intent_id,
      amount_minor,
      state: 'open',
      withdrawn: true,
      returned: false,
      fees: { withdrawn: null, returned: null },
    } as const;
    await database.sql.begin((tx) => applyDispute(tx, 'live', { ...one, ...given }, renews));
  };

  it('is taken back while it was not divided, and comes back once with a dispute that was won', async () => {
    await subscribe();
    for (let turn = 0; turn < 2; turn++) await dispute({});
    expect(await entered()).toEqual([]);
    expect(await sums()).toEqual({});
    await assertBalanced();
    for (let turn = 0; turn < 2; turn++) await dispute({ state: 'won', returned: true });
    expect(await entered()).toEqual(['2026-02-28 plus 250 USD']);
    expect(await sums()).toMatchObject({ 'income:plus USD': -499, 'undivided:creators USD': -250 });
    await assertBalanced();
  });

  it('stays with creators once it was divided: the platform bears it', async () => {
    await subscribe();
    await divide('2026-01-31', new Date('2026-02-02T12:00:00Z'));
    await dispute({});
    await dispute({ state: 'won', returned: true });
    const { id } = await paid();
    await database.sql.begin((tx) => takeHalfBack(tx, id, 'dispute', renews));
    expect(await entered()).toEqual(['2026-01-31 plus 250 USD']);
    expect(await sums()).toMatchObject({ 'pending:2026-01-01 USD': -250, 'source:plus USD': 250 });
    await assertBalanced();
  });

  const refund = async (amount_minor: number | null) => {
    const { id } = await paid();
    const by = actorFor(await user(database.sql), { role: 'admin' });
    const more = { seen_minor: null, reason: 'asked for it', takes_service: false };
    const input = { op_id: randomUUID(), charge_id: id, amount_minor, ...more };
    await database.sql.begin((tx) => refundByStaff(tx, till, by, input, renews));
  };

  it('is lowered by each part that is refunded, and gone with the last', async () => {
    await subscribe();
    await refund(100);
    expect(await entered()).toEqual(['2026-01-31 plus 200 USD']);
    await refund(1);
    expect(await entered()).toEqual(['2026-01-31 plus 200 USD']);
    await refund(200);
    expect(await entered()).toEqual(['2026-01-31 plus 100 USD']);
    expect(await sums()).toMatchObject({ 'undivided:creators USD': -100, 'income:plus USD': -198 });
    await assertBalanced();
    await refund(null);
    expect(await entered()).toEqual([]);
    await assertBalanced();
  });

  it('comes back after a dispute without what was refunded before it', async () => {
    await subscribe();
    await refund(300);
    const rest = { amount_minor: 199 };
    await dispute(rest);
    expect(await entered()).toEqual([]);
    await dispute({ ...rest, state: 'won', returned: true });
    expect(await entered()).toEqual(['2026-02-28 plus 100 USD']);
    await assertBalanced();
  });
});
