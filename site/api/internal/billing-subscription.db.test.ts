import { beforeAll, describe, expect, test } from 'vitest';
import { slowCard, testCard } from '#db/testing/billing.ts';
import { testDatabase } from '#db/testing/database.ts';
import { billingClient } from '../../testing/billing.ts';

/** PATCH subscription: its answers, its dry run, and what it refuses before it does anything. Source: api-v3 §6. */
const database = testDatabase();
const { open, person, call, owner, keep, charges } = billingClient(database);
beforeAll(open);

type Owner = Awaited<ReturnType<typeof owner>>;
const patch = (who: { headers: Record<string, string> }, one: Owner, body: object, dry = false) =>
  call('PATCH', `subscription/${one.subscription}${dry ? '?dry=true' : ''}`, who.headers, body);
const subscription = async ({ subscription }: Owner) => {
  const [row] = await database.sql`
    select u.state, u.term, u.ram_mb, m.last_four from subscriptions u join payment_methods m on m.id = u.method_id
    where u.id = ${subscription}`;
  return row!;
};
const failed = (one: Owner) => database.sql`
  update subscriptions set state = 'failed', attempts = 1, next_attempt = now() + interval '1 day'
  where id = ${one.subscription}`;
const running = { state: 'active', term: 'monthly', ram_mb: 4096, last_four: '4242' };

describe('a change that has to be paid', () => {
  test('answers with its own payment', async () => {
    const fen = await owner();
    const slow = await keep(fen, slowCard);
    const answer = await patch(fen, fen, { product: 'pyro-8192', payment_method: slow });
    const [, change] = await charges(fen);
    expect(change).toMatchObject({ reason: 'change', state: 'waiting' });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...{ payment_intent_id: change!.intent_id, total: change!.amount_minor },
        ...{ price_id: 'pyro-8192-USD', payment_method: slow },
      },
    });
  });

  test('of somebody’s server by an administrator is answered the same, and their card is not replaced', async () => {
    const [fen, admin] = [await owner(), await person('admin')];
    const slow = await keep(fen, slowCard);
    const refused = await patch(admin, fen, { product: 'pyro-8192', payment_method: slow });
    expect([refused.status, refused.body.details.code]).toEqual([404, 'payment_method_not_found']);
    expect([await subscription(fen), (await charges(fen)).length]).toEqual([running, 1]);
    await database.sql`update subscriptions set method_id = ${slow} where id = ${fen.subscription}`;
    const answer = await patch(admin, fen, { product: 'pyro-8192' });
    const [, change] = await charges(fen);
    expect(answer).toMatchObject({
      status: 200,
      body: { payment_intent_id: change!.intent_id, total: change!.amount_minor, client_secret: null },
    });
  });

  test('is one when it is sent again', async () => {
    const fen = await owner();
    const keyed = { headers: { ...fen.headers, 'idempotency-key': 'to 8 GB' } };
    for (let times = 0; times < 2; times++)
      expect((await patch(keyed, fen, { product: 'pyro-8192' })).status).toBe(204);
    const mismatch = await patch(keyed, fen, { product: 'pyro-6144' });
    expect(mismatch.body.details.code).toBe('operation_mismatch');
    const unkeyed = await patch(fen, fen, { product: 'pyro-8192' });
    expect(unkeyed.status).toBe(400);
    expect(await charges(fen)).toHaveLength(2);
  });
});

describe('a dry run', () => {
  test('tells that renewing is paid', async () => {
    const fen = await owner();
    await failed(fen);
    const dry = await patch(fen, fen, { cancelled: false }, true);
    expect(dry.body).toEqual({ requires_payment: true, required_payment_is_proration: false });
    expect((await patch(fen, fen, { cancelled: false })).status).toBe(204);
    expect(await charges(fen)).toHaveLength(2);
  });

  test('tells that taking a cancellation back is free, and refuses what the change would refuse', async () => {
    const fen = await owner();
    const active = await patch(fen, fen, { cancelled: false }, true);
    expect(active.body.details.code).toBe('subscription_active');
    await patch(fen, fen, { cancelled: true });
    const dry = await patch(fen, fen, { cancelled: false }, true);
    expect(dry.body).toEqual({ requires_payment: false, required_payment_is_proration: false });
    const larger = await patch(fen, fen, { cancelled: false, product: 'pyro-8192' }, true);
    expect(larger.body.details.code).toBe('invalid_input');
  });
});

test.each([
  { cancelled: true, interval: 'yearly' },
  { cancelled: true, product: 'pyro-8192' },
  { cancelled: false, product: 'pyro-8192' },
  { region: 'western-europe', cancelled: true },
])('refuses %o before anything is done', async (body) => {
  const fen = await owner();
  const card = await keep(fen, testCard('5555555555554444'));
  const refused = await patch(fen, fen, { ...body, payment_method: card });
  expect([refused.status, refused.body.details.code]).toEqual([400, 'invalid_input']);
  expect([await subscription(fen), (await charges(fen)).length]).toEqual([running, 1]);
});

test('renews with the card that is named', async () => {
  const fen = await owner();
  const card = await keep(fen, testCard('5555555555554444'));
  await failed(fen);
  expect((await patch(fen, fen, { cancelled: false, payment_method: card })).status).toBe(204);
  expect((await charges(fen)).map(({ last_four }) => last_four)).toEqual(['4242', '4444']);
  await patch(fen, fen, { cancelled: true });
  const first = await keep(fen, testCard('4242424242424242'));
  await patch(fen, fen, { cancelled: false, payment_method: first });
  expect(await subscription(fen)).toEqual(running);
});
