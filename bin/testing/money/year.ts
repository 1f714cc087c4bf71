import type { Random } from '#db/demo/art/random.ts';
import {
  actOnPlus,
  actOnServer,
  buyServer,
  deletePerson,
  earn,
  refund,
  type Town,
  withdraw,
} from './acts.ts';
import { assertBalanced, assertBooks } from './books.ts';
import type { Command, Place } from './commands.ts';
import { Outside } from './outside.ts';
import { Supervisor, type Told } from './supervisor.ts';

const day_ms = 86_400_000;
const hour_ms = 3_600_000;

export interface YearInput extends Pick<Town, 'sql' | 'people' | 'projects' | 'staff'> {
  place: Place;
  stripe: Outside['stripe'];
  paypal: Outside['paypal'];
  /** Subscriptions it tries to have at a time. */
  subscriptions: number;
  days: number;
  kills: number;
  first: Date;
  random: Random;
}

/** What happened, for the reader of a run. */
export interface YearReport extends Told {
  faults: Record<string, number>;
  price_changes: number;
  gone_with_money: number;
}

/**
 * Simulates months of business day by day: people buy, change, cancel and dispute, cards fail, prices change, staff give
 * back, creators withdraw and go, Stripe and PayPal answer late or not at all, webhooks come twice and in any order, and the
 * process is killed while it works. After every command the ledger has to balance, after every day it has to agree with
 * Stripe and PayPal, and nothing may be charged or paid out twice.
 */
export async function simulateYear(input: YearInput): Promise<YearReport> {
  const { sql, days, random, stripe } = input;
  const { next } = random;
  const supervisor = new Supervisor(input.place, next);
  const outside = new Outside(stripe, input.paypal, random);
  const chance = (share: number) => next() < share;
  let now = input.first;
  let [price_percent, price_changes, kills_due] = [100, 0, 0];
  const clock = () => now;
  stripe.account.clock = clock;
  input.paypal.account.clock = clock;

  async function tell<T>(command: Command): Promise<T | null> {
    const kill = supervisor.told.kills < Math.floor(kills_due) && chance(0.3);
    const told = await supervisor.tell({ now: now.toISOString(), price_percent, command }, kill);
    await assertBalanced(sql, now);
    return told && (told.result as T);
  }
  const town: Town = {
    ...{ sql, stripe, random, tell, people: input.people, projects: input.projects, staff: input.staff },
    ...{ owned: new Map(), gone_with_money: 0 },
  };

  const dayBefore = (count: number) => new Date(now.getTime() - count * day_ms).toISOString().slice(0, 10);
  try {
    // a month that is released soon: creators withdraw in a short simulation too
    for (let before = 60; before > 33; before -= 3) await earn(town, dayBefore(before));
    for (let day = 0; day < days; day++) await live(day);
  } finally {
    supervisor.stop();
  }
  const { gone_with_money } = town;
  return { ...supervisor.told, faults: outside.faults, price_changes, gone_with_money };

  async function live(day: number): Promise<void> {
    now = new Date(input.first.getTime() + day * day_ms + Math.floor(next() * hour_ms));
    kills_due = (input.kills * (day + 1)) / days;
    outside.wake();
    if (day % 60 === 30) {
      price_percent = random.int(80, 130);
      price_changes += 1;
    }
    // what agents do
    await sql`update servers set lifecycle = 'ready', seen = '{"installed": true}' where lifecycle = 'provisioning'`;
    await trade();
    await earn(town, dayBefore(1));
    await tell({ do: 'jobs' });
    outside.act();
    await outside.hear(now, tell);
    // what is still unknown is asked for by the next runs
    for (let turn = 0; turn < 2; turn++) {
      now = new Date(now.getTime() + hour_ms);
      await tell({ do: 'jobs' });
      await outside.hear(now, tell);
    }
    outside.sleep();
    // what it took in the moment it went down is known a day later
    await assertBooks(sql, outside);
    const ended = await sql<Array<{ server_id: string }>>`
      select server_id from subscriptions where state = 'ended' and server_id = any(${[...town.owned.keys()]})`;
    for (const { server_id } of ended) town.owned.delete(server_id);
  }

  /** What people and staff do in a day. */
  async function trade(): Promise<void> {
    const missing = input.subscriptions - town.owned.size;
    for (let turn = 0; turn < Math.min(missing, Math.ceil(input.subscriptions / 25)); turn++)
      await buyServer(town);
    for (const [server_id, actor] of [...town.owned])
      if (chance(0.02)) await actOnServer(town, server_id, actor);
    if (chance(Math.max(0.3, input.subscriptions / 300))) await actOnPlus(town);
    for (let turn = 0; turn < 3; turn++) if (chance(0.7)) await withdraw(town);
    if (chance(0.3)) await refund(town);
    if (chance(0.1)) await deletePerson(town);
  }
}
