import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { slowCard, testCard } from '#db/testing/billing.ts';
import { testDatabase } from '#db/testing/database.ts';
import { billingClient } from '../../testing/billing.ts';

/** Payments by the API: who pays which charge with which card, and that nobody pays twice. Source: api-v3 §6. */
const database = testDatabase();
const { open, person, call, owner, keep, charges } = billingClient(database);
beforeAll(open);

const good = testCard('4242424242424242');
const other = testCard('5555555555554444');
const declined = testCard('4000000000000002');
const order = (id: string, given: object = {}) => ({
  ...{ type: 'payment_method', id, terms_accepted: true },
  charge: { type: 'new', product_id: 'pyro-4096', interval: 'monthly' },
  metadata: { server_name: 'Valley', server_region: 'central-europe' },
  ...given,
});
const plus = (id: string, interval = 'monthly') => ({
  ...{ type: 'payment_method', id, charge: { type: 'new', product_id: 'midas', interval } },
});
/** State and card of every charge, oldest first. */
const paid = async (who: Parameters<typeof charges>[0]) =>
  (await charges(who)).map(({ state, last_four }) => `${state} ${last_four}`);
const stored = async (who: { id: string }) =>
  (
    await database.sql<Array<{ last_four: string }>>`
      select m.last_four from subscriptions u join payment_methods m on m.id = u.method_id where u.user_id = ${who.id}
      order by u.created desc limit 1`
  )[0]!.last_four;

describe('existing_payment_intent', () => {
  test.each([order, plus])('changes the card of a waiting payment, of %o', async (wanted) => {
    const fen = await person();
    const [slow, fast] = [await keep(fen, slowCard), await keep(fen, good)];
    const first = await call('POST', 'payment', fen.headers, wanted(slow as never));
    expect([first.status, await paid(fen)]).toEqual([200, ['waiting 3220']]);
    const existing_payment_intent = first.body.payment_intent_id;
    const again = { ...wanted(fast as never), existing_payment_intent };
    const second = await call('POST', 'payment', fen.headers, again);
    expect(second.body).toMatchObject({ total: first.body.total, payment_method: fast });
    expect([second.status, await paid(fen), await stored(fen)]).toEqual([200, ['succeeded 4242'], '4242']);
    // sent once more, with the intent that it has now
    const third = { ...again, existing_payment_intent: second.body.payment_intent_id };
    expect((await call('POST', 'payment', fen.headers, third)).body).toEqual(second.body);
    expect(await paid(fen)).toEqual(['succeeded 4242']);
  });

  test('takes the payment back when something else is ordered', async () => {
    const fen = await person();
    const [slow, fast] = [await keep(fen, slowCard), await keep(fen, good)];
    const first = await call('POST', 'payment', fen.headers, order(slow));
    const existing_payment_intent = first.body.payment_intent_id;
    const charge = { type: 'new', product_id: 'pyro-8192', interval: 'monthly' };
    const more = order(fast, { charge, existing_payment_intent });
    expect((await call('POST', 'payment', fen.headers, more)).body).toMatchObject({ total: 2400 });
    expect(await paid(fen)).toEqual(['failed 3220', 'succeeded 4242']);
    const states = await database.sql`select state from orders where user_id = ${fen.id} order by created`;
    expect(states.map(({ state }) => state)).toEqual(['failed', 'paid']);
  });

  test('is refused once it was paid for something else, and when it is of somebody else', async () => {
    const [fen, stranger] = [await person(), await person()];
    const [fast, theirs] = [await keep(fen, good), await keep(stranger, good)];
    const first = await call('POST', 'payment', fen.headers, order(fast));
    const existing_payment_intent = first.body.payment_intent_id;
    const charge = { type: 'new', product_id: 'pyro-8192' };
    const refused = await call(
      'POST',
      'payment',
      fen.headers,
      order(fast, { charge, existing_payment_intent }),
    );
    expect([refused.status, refused.body.details.code]).toEqual([400, 'operation_mismatch']);
    const foreign = await call(
      'POST',
      'payment',
      stranger.headers,
      order(theirs, { existing_payment_intent }),
    );
    expect([foreign.status, foreign.body.details.code]).toEqual([404, 'charge_not_found']);
    expect([await paid(fen), await paid(stranger)]).toEqual([['succeeded 4242'], []]);
  });

  test('goes with another card after one was declined, and is charged once', async () => {
    const fen = await person();
    const [bad, slow, fast] = [await keep(fen, declined), await keep(fen, slowCard), await keep(fen, good)];
    const first = await call('POST', 'payment', fen.headers, order(slow));
    let existing_payment_intent = first.body.payment_intent_id;
    const refused = await call('POST', 'payment', fen.headers, order(bad, { existing_payment_intent }));
    expect(refused.body.details.code).toBe('payment_declined');
    existing_payment_intent = (await charges(fen))[0]!.intent_id;
    const again = await call('POST', 'payment', fen.headers, order(fast, { existing_payment_intent }));
    expect([again.status, await paid(fen)]).toEqual([200, ['failed 0002', 'succeeded 4242']]);
  });
});

describe('a payment that is sent again without a key', () => {
  test.each([order, plus])('is one, also at once, of %o', async (wanted) => {
    const fen = await person();
    const fast = await keep(fen, good);
    const asked = () => call('POST', 'payment', fen.headers, wanted(fast as never));
    const all = await Promise.all([asked(), asked(), asked()]);
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await asked()).toEqual(all[0]);
    expect(await paid(fen)).toEqual(['succeeded 4242']);
  });

  test('pays with the card that is named last while it waits', async () => {
    const fen = await person();
    const [slow, fast] = [await keep(fen, slowCard), await keep(fen, good)];
    await call('POST', 'payment', fen.headers, order(slow));
    expect((await call('POST', 'payment', fen.headers, order(fast))).body.payment_method).toBe(fast);
    expect(await paid(fen)).toEqual(['succeeded 4242']);
  });

  test('is two for two keys, for another name, and after ten minutes', async () => {
    const fen = await person();
    const fast = await keep(fen, good);
    const key = randomUUID();
    for (const one of [key, key, randomUUID()]) {
      const headers = { ...fen.headers, 'idempotency-key': one };
      expect((await call('POST', 'payment', headers, order(fast))).status).toBe(200);
    }
    expect(await paid(fen)).toHaveLength(2);
    const metadata = { server_name: 'Hill', server_region: 'central-europe' };
    await call('POST', 'payment', fen.headers, order(fast, { metadata }));
    expect(await paid(fen)).toHaveLength(3);
    await database.sql`update charges set settled = settled - interval '11 minutes' where user_id = ${fen.id}`;
    await call('POST', 'payment', fen.headers, order(fast));
    expect(await paid(fen)).toHaveLength(4);
  });
});

describe('an existing charge', () => {
  const existing = (id: string, charge: string) => ({
    ...{ type: 'payment_method', id, charge: { type: 'existing', id: charge } },
  });

  test('that waits is paid with the card that is given', async () => {
    const fen = await person();
    const [slow, fast] = [await keep(fen, slowCard), await keep(fen, other)];
    await call('POST', 'payment', fen.headers, order(slow));
    const [one] = await charges(fen);
    const answer = await call('POST', 'payment', fen.headers, existing(fast, one!.id));
    expect([answer.status, answer.body.payment_method]).toEqual([200, fast]);
    expect([await paid(fen), await stored(fen)]).toEqual([['succeeded 4444'], '4444']);
  });

  test('that was never sent is paid with the card that is given', async () => {
    const fen = await owner();
    const card = await keep(fen, other);
    await database.sql`update subscriptions set state = 'pending' where user_id = ${fen.id}`;
    await database.sql`
      update charges set state = 'open', settled = null, intent_id = null, last_tried = null where user_id = ${fen.id}`;
    const [one] = await charges(fen);
    await call('POST', 'payment', fen.headers, existing(card, one!.id));
    expect([await paid(fen), await stored(fen)]).toEqual([['succeeded 4444'], '4444']);
  });

  test('that failed is paid by renewing, once', async () => {
    const fen = await owner();
    const card = await keep(fen, other);
    await database.sql`
      update subscriptions set state = 'failed', attempts = 1, next_attempt = now() + interval '1 day' where user_id = ${fen.id}`;
    await database.sql`update charges set state = 'failed', failure = 'declined', reason = 'renewal' where user_id = ${fen.id}`;
    const [one] = await charges(fen);
    const asked = () => call('POST', 'payment', fen.headers, existing(card, one!.id));
    const both = await Promise.all([asked(), asked()]);
    expect(both.map(({ status }) => status)).toContain(200);
    expect(both.find(({ status }) => status === 200)!.body).toMatchObject({
      total: 1200,
      payment_method: card,
    });
    const third = await asked();
    expect([third.status, third.body.details.code]).toEqual([400, 'subscription_active']);
    expect(await paid(fen)).toEqual(['failed 4242', 'succeeded 4444']);
    const [{ state }] = await database.sql<[{ state: string }]>`
      select state from subscriptions where id = ${fen.subscription}`;
    expect(state).toBe('active');
  });

  test('of an order that was never paid is ordered again', async () => {
    const fen = await person();
    const [bad, fast] = [await keep(fen, declined), await keep(fen, good)];
    await call('POST', 'payment', fen.headers, order(bad));
    const [one] = await charges(fen);
    const refused = await call('POST', 'payment', fen.headers, existing(fast, one!.id));
    expect([refused.status, refused.body.details.code]).toEqual([400, 'subscription_ended']);
    expect(await paid(fen)).toEqual(['failed 0002']);
  });
});
