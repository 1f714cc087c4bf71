import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  type BillingContext,
  type CheckoutResult,
  checkout,
  collectCharge,
  handleWebhook,
} from '../../money/billing/checkout.ts';
import { beginMethod } from '../../money/billing/customers.ts';
import { collectFee, withoutFee } from '../../money/billing/fees.ts';
import { balances } from '../../money/billing/ledger.ts';
import { stripePayments } from '../../money/billing/processors/stripe/adapter.ts';
import { dueSubscriptions, processDue, unsettledCharges } from '../../money/billing/renewals.ts';
import type { OrderInput } from '../../money/billing/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { nodeWithRoom, orderInput, testBilling } from '../billing.ts';
import * as build from '../builders/build.ts';
import { testDatabase } from '../database.ts';
import type { CardKind, Intent, StripeEvent } from './account.ts';
import { expectSameMoney } from './same-money.ts';
import { type StripeSimulator, stripeKeys, stripeSimulator } from './simulator.ts';

/** The newest charge of the actor, with its order and subscription. */
interface Newest {
  id: string;
  intent_id: string | null;
  charge: string;
  failure: string | null;
  dispute: string | null;
  subscription: string;
  order: string;
}

/** A shop that sells with the simulator of Stripe, and a buyer, another one for each test. */
export interface StripeShop {
  stripe: StripeSimulator;
  till: BillingContext;
  actor: Actor;
  /** The time of this machine, which the simulator has too. */
  now: Date;
  /** Names of the jobs of this test. */
  jobs(): string[];
  /** A card that somebody entered in a browser; the same `number` is the same card. */
  card(kind: CardKind, who?: Actor, number?: string): Promise<{ confirmed: string }>;
  order(kind: CardKind, given?: Partial<OrderInput>): Promise<CheckoutResult>;
  newest(): Promise<Newest>;
  /** The payments of the actor at Stripe, oldest first. */
  mine(): Promise<Intent[]>;
  /** Sends the webhooks of these types about the actor's payments, oldest first. */
  hear(...types: string[]): Promise<boolean[]>;
  send(event: StripeEvent, at?: Date, key?: string): Promise<boolean>;
  /** What the job of every minute does at this time. */
  runBilling(at: Date): Promise<void>;
}

/**
 * The shop of a test file, `const shop = stripeShop();` at the top. After every test the ledger must sum to zero, and its
 * account of the processor have what the simulator has.
 */
export function stripeShop(): StripeShop & { sql: BillingContext['sql'] } {
  const database = testDatabase();
  const billing = testBilling(database);
  const now = new Date();
  const { jobs, board, mailing } = billing;
  const shop = {
    now,
    jobs: () => jobs.map(({ name }) => name as string),
    async card(kind: CardKind, who = shop.actor, number?: string) {
      const { client_secret } = await beginMethod(database.sql, shop.till.payments, who, now);
      return { confirmed: shop.stripe.account.enterCard(client_secret, kind, number) };
    },
    order: async (kind: CardKind, given: Partial<OrderInput> = {}) =>
      await checkout(shop.till, shop.actor, orderInput(given), await shop.card(kind), now),
    async newest() {
      const [row] = await database.sql<Newest[]>`
        select c.id, c.intent_id, c.state as charge, c.failure, c.dispute, u.state as subscription, o.state as order
        from charges c join subscriptions u on u.id = c.subscription_id join orders o on o.id = u.order_id
        where c.user_id = ${shop.actor.user_id} order by c.created desc, c.settled desc nulls first limit 1`;
      return row!;
    },
    async mine() {
      const [row] = await database.sql<Array<{ reference: string }>>`
        select reference from payment_customers where user_id = ${shop.actor.user_id}`;
      return [...shop.stripe.account.intents.values()].filter(({ customer }) => customer === row?.reference);
    },
    async hear(...types: string[]) {
      const own = new Set((await shop.mine()).map(({ id }) => id));
      const heard: boolean[] = [];
      for (const type of types)
        for (const event of shop.stripe.account.events.filter((one) => one.type === type)) {
          const { id, payment_intent } = event.data.object as { id: string; payment_intent?: string };
          if (own.has(payment_intent ?? id)) heard.push(await shop.send(event));
        }
      return heard;
    },
    async send(event: StripeEvent, at = now, key?: string) {
      const { body, signature } = shop.stripe.webhook(event, at, key);
      return await handleWebhook(shop.till, signature, body, at);
    },
    async runBilling(at: Date) {
      const { sql } = database;
      for (const id of await dueSubscriptions(sql, at, 100)) {
        const { charge_id } = await sql.begin((tx) => processDue(tx, id, shop.till.payments.name, at));
        if (charge_id) await collectCharge(shop.till, charge_id, at);
      }
      for (const id of await unsettledCharges(sql, shop.till.payments.name, at, 100))
        await collectCharge(shop.till, id, at);
      // one that fails does not hold up the others, as in the job
      for (const id of await withoutFee(sql, shop.till.payments, at, 100))
        await collectFee(shop.till, id, at).catch(() => false);
    },
    get sql() {
      return database.sql;
    },
  } as StripeShop & { sql: BillingContext['sql'] };

  beforeAll(async () => {
    shop.stripe = await stripeSimulator();
    const settings = { ...stripeKeys, STRIPE_API_URL: shop.stripe.address };
    const payments = stripePayments(settings, { timeout: 700 });
    shop.till = { sql: database.sql, payments, board, mailing };
    await nodeWithRoom(database.sql, { rooms: 1_000, seen: now });
  });
  afterAll(() => shop.stripe.close());
  beforeEach(async () => {
    shop.actor = build.actorFor(await build.user(database.sql));
    jobs.length = 0;
  });
  afterEach(async () => {
    const all = await balances(database.sql);
    const sums = new Map<string, number>();
    for (const [, currency, minor] of all) sums.set(currency, (sums.get(currency) ?? 0) + minor);
    expect([...sums.values()].every((sum) => sum === 0)).toBe(true);
    await expectSameMoney(database.sql, shop.stripe.account);
  });
  return shop;
}
