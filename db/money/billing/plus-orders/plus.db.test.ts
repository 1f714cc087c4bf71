import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { removeUser } from '../../../accounts/account/remove.ts';
import { currentUser } from '../../../platform/people/read.ts';
import type { Actor } from '../../../platform/people/rules.ts';
import { slowCard, testBilling, testCard } from '../../../testing/billing.ts';
import * as build from '../../../testing/builders/build.ts';
import { testDatabase } from '../../../testing/database.ts';
import { collectCharge } from '../checkout.ts';
import { balances } from '../ledger.ts';
import { addMethod, makePrimary, methodsOf } from '../methods.ts';
import { plusOf } from '../plus/read.ts';
import { paymentsOf, subscriptionsOf } from '../read.ts';
import { dueSubscriptions, processDue, unsettledCharges } from '../renewals.ts';
import { buyPlus, renewPlus } from './checkout.ts';
import type { PlusOrder } from './write.ts';
import { cancelPlus, switchPlus } from './write.ts';

const database = testDatabase();
const till = testBilling(database);
const start = new Date('2026-01-31T12:00:00Z');
const at = (text: string) => new Date(`2026-${text}T12:00:01Z`);
const [good, fails_later, declined] = ['4242424242424242', '4000000000000341', '4000000000000002'].map(
  testCard,
);
let actor: Actor;
beforeEach(async () => {
  actor = build.actorFor(await build.user(database.sql));
  till.jobs.length = 0;
});

const order = (given: Partial<PlusOrder> = {}): PlusOrder => ({
  ...{ op_id: randomUUID(), interval: 'monthly', currency: 'EUR' },
  ...given,
});
const subscribe = (given: Partial<PlusOrder> = {}, card = good!, now = start) =>
  buyPlus(till, actor, order(given), card, now);
const mine = () => plusOf(database.sql, actor.user_id);
const until = async () => (await mine())?.period_end.slice(5, 10);
const hasBadge = async () => {
  const { badges } = await currentUser(
    { sql: database.sql, settings: till.mailing.settings } as never,
    actor,
  );
  return (badges & 1) === 1;
};
const charges = async () =>
  (await paymentsOf(database.sql, { user_id: actor.user_id }, 1)).payments
    .map(({ reason, state, amount_minor }) => `${reason} ${state} ${amount_minor}`)
    .reverse();

/** Runs the billing job at a given time until nothing is due, twice at once. */
async function run(now: Date): Promise<void> {
  const turn = async () => {
    for (const id of await dueSubscriptions(database.sql, now, 100)) {
      const { charge_id, match } = await database.sql.begin((tx) => processDue(tx, id, 'test', now));
      if (charge_id) await collectCharge(till, charge_id, now);
      expect(match).toBe(false);
    }
  };
  for (let count = 0; count < 3; count++) await Promise.all([turn(), turn()]);
}

describe('buying Plus', () => {
  it('gives the badge for the period that was paid, and nothing that belongs to servers', async () => {
    expect(await hasBadge()).toBe(false);
    expect(await subscribe()).toBe('paid');
    expect(await mine()).toMatchObject({
      ...{ state: 'active', term: 'monthly', currency: 'EUR', price_minor: 499, next: null, waits: false },
      card: { brand: 'Visa', last_four: '4242' },
    });
    expect([await until(), await hasBadge()]).toEqual(['02-28', true]);
    expect(await charges()).toEqual(['first succeeded 499']);
    expect(till.jobs).toEqual([]);
    expect(await subscriptionsOf(database.sql, actor)).toEqual([]);
    const [method] = await methodsOf(database.sql, actor.user_id, 'test');
    expect(method?.pays_for).toEqual([{ server_id: null, name: null }]);
  });

  it('is one subscription and one payment for the same request, however often it comes', async () => {
    const one = order();
    const all = await Promise.all([1, 2, 3].map(() => buyPlus(till, actor, one, good!, start)));
    expect(all).toEqual(['paid', 'paid', 'paid']);
    expect(await buyPlus(till, actor, one, good!, at('02-01'))).toBe('paid');
    expect(await charges()).toEqual(['first succeeded 499']);
    await expect(buyPlus(till, actor, { ...one, interval: 'yearly' }, good!, start)).rejects.toMatchObject({
      code: 'plus_owned',
    });
    const other = build.actorFor(await build.user(database.sql));
    await expect(buyPlus(till, other, one, good!, start)).rejects.toMatchObject({
      code: 'operation_mismatch',
    });
  });

  it('is refused to one of two browsers that buy at once, and to whoever has it', async () => {
    const outcomes = await Promise.allSettled([subscribe(), subscribe({ interval: 'yearly' }), subscribe()]);
    const codes = outcomes.map((one) => (one.status === 'rejected' ? one.reason.code : one.value));
    expect(codes.filter((one) => one === 'paid')).toHaveLength(1);
    // the other one came before or after the payment of the first
    expect(
      codes.filter((one) => one !== 'paid').every((one) => /^(plus_owned|subscription_pending)$/.test(one)),
    ).toBe(true);
    await expect(subscribe()).rejects.toMatchObject({ code: 'plus_owned' });
    expect(await charges()).toHaveLength(1);
  });

  it('is nothing after a card was declined, and can be done again', async () => {
    const one = order();
    for (let turn = 0; turn < 2; turn++)
      await expect(buyPlus(till, actor, one, declined!, start)).rejects.toMatchObject({
        code: 'payment_declined',
      });
    expect([await mine(), await hasBadge()]).toEqual([null, false]);
    await expect(buyPlus(till, actor, order(), null, start)).rejects.toMatchObject({ code: 'card_required' });
    for (let turn = 0; turn < 2; turn++)
      expect(await buyPlus(till, actor, one, good!, at('02-01'))).toBe('paid');
    expect((await charges()).toSorted()).toEqual([
      'first failed 499',
      'first failed 499',
      'first succeeded 499',
    ]);
  });

  it('waits for a payment that takes its time', async () => {
    expect(await subscribe({}, slowCard)).toBe('waiting');
    expect([(await mine())?.state, (await mine())?.waits, await hasBadge()]).toEqual([
      'pending',
      true,
      false,
    ]);
    await expect(subscribe()).rejects.toMatchObject({ code: 'subscription_pending' });
    await expect(database.sql.begin((tx) => cancelPlus(tx, actor, start))).rejects.toMatchObject({
      code: 'subscription_pending',
    });
    const later = new Date(start.getTime() + 20_000);
    for (const id of await unsettledCharges(database.sql, 'test', later, 10))
      await collectCharge(till, id, later);
    expect([(await mine())?.state, await hasBadge()]).toEqual(['active', true]);
  });

  it('needs a confirmed address, and a processor', async () => {
    const unknown = { ...actor, email_verified: false };
    await expect(buyPlus(till, unknown, order(), good!, start)).rejects.toMatchObject({
      code: 'email_unverified',
    });
    const off = { ...till, sql: database.sql, payments: { ...till.payments, enabled: false } };
    await expect(buyPlus(off, actor, order(), good!, start)).rejects.toMatchObject({ code: 'payments_off' });
  });
});

describe('Plus that runs', () => {
  it('renews once for each period, on the 31st where there is one', async () => {
    await subscribe();
    await run(at('02-27'));
    expect(await until()).toBe('02-28');
    await run(at('02-28'));
    expect(await until()).toBe('03-31');
    await run(at('03-31'));
    expect(await until()).toBe('04-30');
    expect(await charges()).toEqual([
      'first succeeded 499',
      'renewal succeeded 499',
      'renewal succeeded 499',
    ]);
  });

  it('changes its interval with the next period, unless the change is taken back', async () => {
    const choose = (interval: string) =>
      database.sql.begin((tx) => switchPlus(tx, actor, interval, new Date()));
    await expect(choose('yearly')).rejects.toMatchObject({ code: 'plus_unknown' });
    await subscribe();
    await expect(choose('monthly')).rejects.toMatchObject({ code: 'plus_unchanged' });
    await choose('quarterly');
    await choose('monthly');
    expect((await mine())?.next).toBeNull();
    await choose('yearly');
    expect(await mine()).toMatchObject({ term: 'monthly', next: { term: 'yearly', price_minor: 4999 } });
    await run(at('02-28'));
    expect(await mine()).toMatchObject({ term: 'yearly', price_minor: 4999, next: null });
    expect((await mine())?.period_end.slice(0, 10)).toBe('2027-02-28');
    expect(await charges()).toEqual(['first succeeded 499', 'renewal succeeded 4999']);
  });

  it('is kept while a failed renewal is tried again, then goes into grace and ends', async () => {
    await subscribe({}, fails_later);
    await run(at('02-28'));
    expect(await mine()).toMatchObject({ state: 'failed', failure: 'declined' });
    expect(await hasBadge()).toBe(true);
    const mails = await database.sql`
      select template from mails where user_id = ${actor.user_id} and template like 'payment_%'`;
    expect(mails).toHaveLength(1);
    for (const day of ['03-01', '03-03', '03-07']) await run(at(day));
    await run(at('03-07'));
    expect([(await mine())?.state, await hasBadge()]).toEqual(['grace', false]);
    await run(at('03-15'));
    expect([await mine(), await hasBadge()]).toEqual([null, false]);
    expect((await charges()).slice(1).every((one) => one === 'renewal failed 499')).toBe(true);
    expect(await subscribe({}, good, at('03-16'))).toBe('paid');
  });

  it('goes on when another card pays, at the next try or at once', async () => {
    await subscribe({}, fails_later);
    await run(at('02-28'));
    const renewed = await renewPlus(till, actor, { interval: 'yearly', method: good! }, at('02-28'));
    expect([renewed, (await mine())?.state, (await mine())?.price_minor]).toEqual(['paid', 'active', 4999]);
    actor = build.actorFor(await build.user(database.sql));
    await subscribe({}, fails_later);
    await run(at('02-28'));
    await addMethod(database.sql, till.payments, actor, good!, at('02-28'));
    const card = (await methodsOf(database.sql, actor.user_id, 'test')).find(
      ({ last_four }) => last_four === '4242',
    );
    await database.sql.begin((tx) => makePrimary(tx, 'test', actor, card!.id));
    await run(at('03-01'));
    expect(await mine()).toMatchObject({ state: 'active', card: { last_four: '4242' } });
  });

  it('stays until its period ends when it is canceled, and can be taken up again', async () => {
    const cancel = (now = at('02-10')) => database.sql.begin((tx) => cancelPlus(tx, actor, now));
    await expect(cancel()).rejects.toMatchObject({ code: 'plus_unknown' });
    await subscribe();
    await database.sql.begin((tx) => switchPlus(tx, actor, 'yearly', new Date()));
    await cancel();
    expect(await mine()).toMatchObject({ state: 'cancelled', next: null });
    await expect(cancel()).rejects.toMatchObject({ code: 'subscription_cancelled' });
    expect(await hasBadge()).toBe(true);
    expect(await renewPlus(till, actor, { interval: null, method: null }, at('02-11'))).toBe('paid');
    expect((await mine())?.state).toBe('active');
    const answer = { cancel_reason: 'pause', cancel_note: null } as const;
    await database.sql.begin((tx) => cancelPlus(tx, actor, at('02-12'), answer));
    const [kept] = await database.sql`
      select cancel_reason, cancel_note from subscriptions where user_id = ${actor.user_id}`;
    expect({ ...kept }).toEqual(answer);
    await run(at('02-28'));
    expect([await mine(), await hasBadge(), await charges()]).toEqual([null, false, ['first succeeded 499']]);
    await expect(renewPlus(till, actor, { interval: null, method: null }, at('03-01'))).rejects.toMatchObject(
      {
        code: 'plus_unknown',
      },
    );
  });

  it('ends at once when it is canceled after a failed payment', async () => {
    await subscribe({}, fails_later);
    await run(at('02-28'));
    await database.sql.begin((tx) => cancelPlus(tx, actor, at('02-28')));
    expect([await mine(), await hasBadge()]).toEqual([null, false]);
  });

  it('ends with its account, whose payments stay in the books', async () => {
    await subscribe();
    await database.sql.begin((tx) => removeUser(tx, actor, actor.user_id, at('02-10')));
    expect(await mine()).toBeNull();
    await run(at('02-28'));
    const all = await balances(database.sql);
    expect(all.reduce((sum, [, currency, minor]) => (currency === 'EUR' ? sum + minor : sum), 0)).toBe(0);
  });

  it('keeps an account with a payment that is not decided', async () => {
    await subscribe({}, slowCard);
    await expect(
      database.sql.begin((tx) => removeUser(tx, actor, actor.user_id, start)),
    ).rejects.toMatchObject({ code: 'user_has_servers' });
    expect((await mine())?.state).toBe('pending');
  });
});
