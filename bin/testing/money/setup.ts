import { afterAll, beforeAll } from 'vitest';
import { random } from '#db/demo/art/random.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { nodeWithRoom } from '#db/testing/billing.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { type PaypalSimulator, paypalSimulator } from '#db/testing/paypal/simulator.ts';
import { type StripeSimulator, stripeSimulator } from '#db/testing/stripe/simulator.ts';
import { type Figures, figuresOf } from './figures.ts';
import { simulateYear, type YearReport } from './year.ts';

interface Wanted {
  people: number;
  subscriptions: number;
  days: number;
  kills: number;
  /** The first day; what creators earned in October is released on December 30. */
  first?: string;
  /** The same one gives the same people and wishes; kills and answers fall as they come. */
  seed: string;
}

/** A database and a simulator of Stripe for a test file; gives what simulates business with them. */
export function moneyTest(): (wanted: Wanted) => Promise<YearReport & Figures> {
  const database = testDatabase();
  let stripe: StripeSimulator;
  let paypal: PaypalSimulator;
  beforeAll(async () => {
    stripe = await stripeSimulator();
    paypal = await paypalSimulator();
  });
  afterAll(async () => {
    await stripe.close();
    await paypal.close();
  });
  return async ({ people: count, seed, first: first_day = '2026-12-03', ...wanted }) => {
    const { sql } = database;
    await sql`create table year_jobs (id int primary key generated always as identity, name text, data jsonb)`;
    const first = new Date(`${first_day}T04:00:00Z`);
    // it is seen again at every moment of the simulation
    const seen = new Date(first.getTime() + 500 * 86_400_000);
    // ports of one node are few
    for (let turn = 0; turn < 10; turn++) await nodeWithRoom(sql, { rooms: 10_000, seen });
    const people: Actor[] = [];
    for (let turn = 0; turn < count; turn++) people.push(build.actorFor(await build.user(sql)));
    const projects: Array<{ id: string; owner: Actor }> = [];
    for (let turn = 0; turn < Math.min(count, 60); turn++) {
      const { id, owner } = await build.project(sql);
      projects.push({ id, owner: build.actorFor(owner) });
    }
    const staff: Actor = { ...build.actorFor(await build.user(sql)), role: 'admin' };
    const place = {
      address: database.address,
      database: database.name,
      stripe: stripe.address,
      paypal: paypal.address,
    };
    const report = await simulateYear({
      ...{ sql, place, stripe, paypal, people, projects, staff, first, random: random(seed), ...wanted },
    });
    return { ...report, ...(await figuresOf(sql)) };
  };
}
