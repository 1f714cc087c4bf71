import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../platform/people/rules.ts';
import { createSealer } from '../../platform/secrets/seal.ts';
import { actorFor, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import type { FaultyServer } from '../../testing/faulty-server.ts';
import { earn, payoutContext, withdrawal } from '../../testing/payouts.ts';
import { paypalKeys, paypalSimulator } from '../../testing/paypal/simulator.ts';
import { tremendousKeys, tremendousSimulator } from '../../testing/tremendous/simulator.ts';
import { balanceOf } from '../billing/revenue/balance.ts';
import { offeredMethods } from './methods.ts';
import type { WithdrawalContext } from './payout-context.ts';
import type { PayoutProvider } from './provider.ts';
import { paypalPayouts } from './providers/paypal/adapter.ts';
import { tremendousPayouts } from './providers/tremendous/adapter.ts';
import { payoutsOf } from './read.ts';
import { requestPayout, type WithdrawalInput } from './request.ts';
import { limitsOf } from './rules.ts';
import { checkPayout } from './send.ts';
import { signTaxForm } from './tax/local.ts';
import { hearOfPayout } from './webhook.ts';

/** Payouts with the ledger, the real adapters and simulators of their providers. */

interface Sent {
  body: string;
  headers: Record<string, string>;
}
interface Simulated {
  server: FaultyServer;
  provider: PayoutProvider;
  /** US cents that it paid and did not get back. */
  spent(): number;
  /** How many payments it has with this key. */
  paid(key: string): number;
  /** A withdrawal that arrives at once, and one that stays on its way. */
  wish(stays?: boolean): WithdrawalInput;
  /** The money on its way arrives: gives the webhook of it, and one that tells the state before. */
  arrive(key: string): { late: (forged?: boolean) => Sent; early: () => Sent };
}

const database = testDatabase();
const now = new Date();
const day_ms = 86_400_000;

async function paypal(): Promise<Simulated> {
  const server = await paypalSimulator();
  const { account } = server;
  const settings = { ...paypalKeys, PAYPAL_API_URL: server.address };
  return {
    ...{ server, provider: paypalPayouts(settings, { timeout: 400 }) },
    spent: () => 1_000_000_00 - account.balance,
    paid: (key) => account.items().filter(({ sender_batch_id }) => sender_batch_id === key).length,
    wish: (stays) => withdrawal({ address: `${stays ? 'stranger' : 'good'}@example.org` }),
    arrive(key) {
      account.turn(key, 'SUCCESS');
      const [before, after] = account.events.filter(
        ({ resource }) => (resource as { sender_batch_id: string }).sender_batch_id === key,
      );
      return {
        late: (forged) => server.webhook(after!, now, forged),
        early: () => server.webhook(before!, now),
      };
    },
  };
}

async function tremendous(): Promise<Simulated> {
  const server = await tremendousSimulator();
  const { account } = server;
  const settings = { ...tremendousKeys, TREMENDOUS_API_URL: server.address };
  return {
    ...{ server, provider: tremendousPayouts(settings, { timeout: 400 }) },
    spent: () => 1_000_000_00 - account.balance,
    paid: (key) => [...account.orders.values()].filter(({ external_id }) => external_id === key).length,
    wish: (stays) =>
      withdrawal({
        ...{ type: 'tremendous', method_id: 'CARD' },
        address: `${stays ? 'slow' : 'good'}@example.org`,
      }),
    arrive(key) {
      const order = account.find(key)!;
      account.deliver(key, 'SUCCEEDED');
      const after = account.events.at(-1)!;
      const resource = { id: order.id, type: 'orders' };
      const before = { uuid: `O${key}`, event: 'ORDERS.CREATED', payload: { resource } };
      return {
        late: (forged) => server.webhook(after, now, forged ? 'other' : undefined),
        early: () => server.webhook(before, now),
      };
    },
  };
}

describe.each([
  ['paypal', paypal],
  ['tremendous', tremendous],
] as const)('payouts by %s', (name, open) => {
  let simulated: Simulated;
  let context: WithdrawalContext;
  let actor: Actor;
  beforeAll(async () => {
    simulated = await open();
    context = payoutContext(database.sql, simulated.provider);
  });
  afterAll(() => simulated.server.close());
  beforeEach(async () => {
    const person = await user(database.sql);
    actor = actorFor(person);
    await earn(database.sql, person.id, 10_000, now);
  });
  afterEach(async () => {
    simulated.server.down = false;
    const [books] = await database.sql<Array<{ all: number; sent: number }>>`
      select coalesce(sum(amount_minor), 0)::bigint as all,
        coalesce(-sum(amount_minor) filter (where account_id = ${`payout:${name}`}), 0)::bigint as sent from ledger_entries`;
    expect(books).toEqual({ all: 0, sent: simulated.spent() });
  });

  const request = async (input: WithdrawalInput) => await requestPayout(context, actor, input, now);
  const hear = async ({ body, headers }: Sent, at = now) =>
    await hearOfPayout(context, { name, headers, body }, at);
  const state = async () => (await payoutsOf(database.sql, actor.user_id)).map((one) => one.state);
  const available = async () => (await balanceOf(database.sql, actor.user_id, now)).available_minor;

  it.each(['500_before', '500_after', 'hang', 'hang_after', 'garbage', 'vanish'] as const)(
    'pay once when it answers nothing, or 500, before or after it took the money: %s',
    async (fault) => {
      simulated.server.faults.push(fault);
      const input = simulated.wish();
      const { id } = await request(input);
      // the request comes again, and so does the job
      expect((await request(input)).id).toBe(id);
      await checkPayout(context, id, now);
      simulated.server.down = false;
      for (let turn = 0; turn < 2; turn++) await checkPayout(context, id, now);
      expect([await state(), simulated.paid(id), await available()]).toEqual([['success'], 1, 9_000]);
    },
  );

  it('pay once for two browsers that send the same request, and never more than there is', async () => {
    const input = simulated.wish();
    const both = await Promise.all([request(input), request(input)]);
    expect(both[0]!.id).toBe(both[1]!.id);
    await checkPayout(context, both[0]!.id, now);
    const others = await Promise.allSettled(
      [1, 2, 3].map(() => request({ ...simulated.wish(), amount_minor: 4_000 })),
    );
    expect(others.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(others.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'payout_insufficient' },
    });
    expect([await available(), simulated.paid(both[0]!.id)]).toEqual([1_000, 1]);
  });

  it('hear each webhook once, in any order', async () => {
    const { id } = await request(simulated.wish(true));
    expect(await state()).toEqual(['in-transit']);
    const { late, early } = simulated.arrive(id);
    const both = await Promise.all([hear(late()), hear(late())]);
    expect(both.sort()).toEqual([false, true]);
    expect([await hear(early()), await hear(early()), await hear(late())]).toEqual([true, false, false]);
    expect([await state(), await available()]).toEqual([['success'], 9_000]);
  });

  it('believe no webhook that is forged, changed or old, and still hear the true one', async () => {
    const { id } = await request(simulated.wish(true));
    const { late } = simulated.arrive(id);
    const true_one = late();
    await expect(hear(late(true))).rejects.toMatchObject({ code: 'webhook_signature' });
    await expect(hear({ ...true_one, body: `${true_one.body} ` })).rejects.toMatchObject({
      code: 'webhook_signature',
    });
    await expect(hear({ ...true_one, headers: {} })).rejects.toMatchObject({ code: 'webhook_signature' });
    await expect(hear(true_one, new Date(now.getTime() + 30 * day_ms))).rejects.toMatchObject({
      code: 'webhook_stale',
    });
    expect(await state()).toEqual(['in-transit']);
    expect(await hear(true_one)).toBe(true);
    expect(await state()).toEqual(['success']);
  });

  it.each([0, -1, -1_000, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53), 1e300])(
    'refuse to withdraw %s',
    async (amount_minor) => {
      await expect(request({ ...simulated.wish(), amount_minor })).rejects.toMatchObject({
        code: 'payout_amount',
      });
      expect([await state(), await available()]).toEqual([[], 10_000]);
    },
  );
});

describe('a method with a fee', () => {
  it('pays each amount that it publishes, and its provider gets what it takes', async () => {
    const { server, provider, spent } = await tremendous();
    const context = payoutContext(database.sql, provider);
    const person = await user(database.sql);
    await earn(database.sql, person.id, 2_000_000, now);
    const stated = {
      ...{ name: 'Ada', country: 'US', address: '1 Quarry Rd', city: 'Ulm', state: 'OH', postal_code: '1' },
      ...{ tax_number: '123-45-6789', signature: 'Ada', certified: true },
    };
    const sealer = createSealer(randomBytes(32));
    await database.sql.begin((tx) => signTaxForm(tx, sealer, actorFor(person), 'W-9', stated, now));
    const amount_of = new Map<string, number[]>();
    for (const method of await offeredMethods(context.providers, 'MX')) {
      const limits = limitsOf(method, 'MX');
      const amounts = 'values_minor' in limits ? limits.values_minor : [limits.min_minor, limits.max_minor];
      const wished = { type: 'tremendous', method_id: method.id, country: 'MX' } as const;
      for (const amount_minor of amounts) {
        const before = spent();
        const asked = withdrawal({ ...wished, amount_minor, address: 'good@example.org' });
        const { id } = await requestPayout(context, actorFor(person), asked, now);
        const state = await checkPayout(context, id, now);
        expect([method.id, amount_minor, state]).toEqual([method.id, amount_minor, 'success']);
        amount_of.set(method.id, [...(amount_of.get(method.id) ?? []), spent() - before]);
      }
    }
    expect(amount_of.get('ACH')).toEqual([500, 200_000]);
    expect(amount_of.get('ACH_FIXED')).toEqual([1_000, 2_500]);
    expect(amount_of.get('PAYPAL')).toEqual([30, 20_000]);
    expect(amount_of.get('IBAN')).toHaveLength(2);
    expect(amount_of.get('IBAN_FIXED')).toHaveLength(3);
    server.close();
  });
});
