import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { CheckoutResult } from '#db/billing/checkout.ts';
import type { Random } from '#db/demo/art/random.ts';
import type { Actor } from '#db/people/rules.ts';
import type { Pool } from '#db/sql.ts';
import { orderInput } from '#db/testing/billing.ts';
import { withdrawal } from '#db/testing/payouts.ts';
import type { PaypalSimulator } from '#db/testing/paypal/simulator.ts';
import type { CardKind, StripeEvent } from '#db/testing/stripe/account.ts';
import type { StripeSimulator } from '#db/testing/stripe/simulator.ts';
import { assertBooks } from './books.ts';
import type { Answer, Command, Place } from './commands.ts';

const day_ms = 86_400_000;
const worker = fileURLToPath(new URL('worker.ts', import.meta.url));
/** How cards behave: most pay, some only while their owner is there, some never. */
const cards: CardKind[] = [
  ...Array<CardKind>(14).fill('good'),
  ...(['fails_later', 'fails_later', 'asks', 'declined', 'insufficient'] as const),
];
const plans = ['small', 'medium', 'large'] as const;
const intervals = ['monthly', 'monthly', 'monthly', 'quarterly', 'yearly'] as const;
// two, none and three digits after the point
const currencies = ['USD', 'EUR', 'JPY', 'KWD'] as const;

export interface YearInput {
  sql: Pool;
  place: Place;
  stripe: StripeSimulator;
  paypal: PaypalSimulator;
  people: readonly Actor[];
  /** Projects that earn, for the points of each day, and who owns them. */
  projects: ReadonlyArray<{ id: string; owner: Actor }>;
  /** Subscriptions it tries to have at a time. */
  subscriptions: number;
  days: number;
  kills: number;
  first: Date;
  random: Random;
}

/** What happened, for the reader of a run. */
export interface YearReport {
  kills: number;
  faults: number;
  refusals: Record<string, number>;
  counts: Partial<Record<Command['do'], number>>;
}

/**
 * Simulates months of business day by day: people buy, change, cancel and dispute, cards fail, Stripe answers late or not at
 * all, webhooks come twice and in any order, and the process is killed while it works. After every command the ledger has to
 * balance, after every day it has to agree with Stripe, and nothing may be charged twice.
 */
export async function simulateYear(input: YearInput): Promise<YearReport> {
  const { sql, stripe, paypal, days } = input;
  const { next, pick } = input.random;
  const report: YearReport = {
    ...{ kills: 0, faults: 0, refusals: {} },
    counts: {},
  };
  const owned = new Map<string, Actor>();
  const chance = (share: number) => next() < share;
  let child = await start(input.place);
  let now = input.first;
  let next_event = 0;
  let late: StripeEvent[] = [];
  let expected = 0;
  stripe.account.clock = () => now;

  /** Sends a command; when a kill is due the process dies in the middle, and a new one gets the same command. */
  async function tell<T>(command: Command): Promise<T | null> {
    report.counts[command.do] = (report.counts[command.do] ?? 0) + 1;
    let kill = report.kills < Math.floor(expected) && chance(0.3);
    for (;;) {
      const waits = new AbortController();
      const { signal } = waits;
      const answered = once(child, 'message', { signal }) as Promise<[Answer]>;
      child.send({ now: now.toISOString(), command });
      const gone = once(child, 'exit', { signal }).then(() => null);
      if (kill) {
        const victim = child;
        setTimeout(() => victim.kill('SIGKILL'), next() * 60);
      }
      const got = await Promise.race([answered, gone]);
      if (got && kill) await gone;
      waits.abort();
      for (const ended of [answered, gone]) ended.catch(() => null);
      if (kill) {
        report.kills += 1;
        kill = false;
        child = await start(input.place);
        if (!got) continue;
      }
      if (!got) throw new Error(`The worker ended by itself at ${command.do}`);
      const [answer] = got;
      await assertBooks(sql);
      if (answer.ok) return answer.result as T;
      if (answer.code.startsWith('fault')) throw new Error(`${command.do}: ${answer.code}`);
      report.refusals[answer.code] = (report.refusals[answer.code] ?? 0) + 1;
      return null;
    }
  }

  async function enterCard(actor: Actor): Promise<string | null> {
    const begun = await tell<{ client_secret: string }>({ do: 'card', actor });
    return begun && stripe.account.enterCard(begun.client_secret, pick(cards));
  }
  async function buy(): Promise<void> {
    const actor = pick(input.people);
    const card = await enterCard(actor);
    if (card === null) return;
    const wish = {
      plan: pick(plans),
      interval: pick(intervals),
      currency: pick(currencies),
    };
    const order = orderInput({ ...wish, op_id: randomUUID() } as never);
    const bought = await tell<CheckoutResult>({ do: 'order', actor, input: order, card });
    if (bought) owned.set(bought.server_id, actor);
  }
  /** Somebody buys Plus, or somebody else cancels it; those who have it, or have none, are refused. */
  async function plus(): Promise<void> {
    const actor = pick(input.people);
    if (chance(0.2)) await tell({ do: 'cancel_plus', actor });
    const card = await enterCard(actor);
    const order = { op_id: randomUUID(), interval: pick(intervals), currency: pick(currencies) };
    if (card !== null) await tell({ do: 'plus', actor, order, card });
  }
  async function act(server_id: string, actor: Actor): Promise<void> {
    const what = next();
    if (what < 0.3) await tell({ do: 'cancel', actor, server_id });
    else if (what < 0.6) await tell({ do: 'resubscribe', actor, server_id, card: await enterCard(actor) });
    else {
      const wanted = { plan: pick(plans), interval: pick(intervals), server_id, op_id: randomUUID() };
      await tell({ do: 'change', actor, wanted });
    }
  }
  /** A creator withdraws, to an address that takes it, waits or refuses; some change their mind. */
  async function withdraw(): Promise<void> {
    const { owner: actor } = pick(input.projects);
    const address = `${pick(['good', 'good', 'stranger', 'slow', 'blocked', 'locked'])}@example.org`;
    const amount_minor = input.random.int(25, 3_000);
    const wanted = withdrawal({ op_id: randomUUID(), address, amount_minor });
    const made = await tell<{ id: string; state: string }>({ do: 'withdraw', actor, input: wanted });
    if (made?.state === 'in-transit' && chance(0.3)) await tell({ do: 'cancel_payout', actor, id: made.id });
  }
  /** Payers agree with their bank, dispute, and banks decide. */
  function outside(): void {
    for (const intent of stripe.account.intents.values())
      if (intent.status === 'requires_action' && chance(0.5))
        stripe.account.authenticate(intent.client_secret, chance(0.7));
    const paid = [...stripe.account.intents.values()].filter(({ status }) => status === 'succeeded');
    const known = new Set([...stripe.account.disputes.values()].map((one) => one.payment_intent));
    const one = paid.length > 0 && chance(0.1) ? pick(paid) : null;
    const refunded = one && stripe.account.refunds.some(({ payment_intent }) => payment_intent === one.id);
    if (one && !known.has(one.id) && !refunded) stripe.account.dispute(one.id);
    for (const [id, { status }] of stripe.account.disputes)
      if (status === 'needs_response' && chance(0.05))
        stripe.account.decideDispute(id, chance(0.5) ? 'won' : 'lost');
  }
  /** Delivers what happened in any order, some of it twice, and doubles once more on a later day. */
  async function hear(): Promise<void> {
    if (stripe.down) return;
    const fresh = stripe.account.events.slice(next_event);
    next_event = stripe.account.events.length;
    const all = [...fresh, ...late, ...fresh.filter(() => chance(0.1))];
    late = fresh.filter(() => chance(0.02));
    for (const event of all.sort(() => next() - 0.5))
      await tell({ do: 'webhook', ...stripe.webhook(event, now) });
  }

  for (let day = 0; day < days; day++) {
    now = new Date(input.first.getTime() + day * day_ms + Math.floor(next() * 3_600_000));
    expected = (input.kills * (day + 1)) / days;
    // Stripe keeps its idempotency keys for a day; it is down for one at most
    stripe.forget();
    stripe.down = false;
    paypal.down = false;
    if (chance(0.2))
      paypal.faults.push(pick(['500_before', '500_after', 'hang', 'hang_after', 'garbage'] as const));
    if (chance(0.3)) {
      stripe.faults.push(
        pick(['500_before', '500_after', 'hang', 'hang_after', 'vanish', 'vanish'] as const),
      );
      report.faults += 1;
    }
    const missing = input.subscriptions - owned.size;
    for (let turn = 0; turn < Math.min(missing, Math.ceil(input.subscriptions / 25)); turn++) await buy();
    for (const [server_id, actor] of [...owned]) if (chance(0.02)) await act(server_id, actor);
    if (chance(Math.max(0.3, input.subscriptions / 300))) await plus();
    for (let turn = 0; turn < 3; turn++) if (chance(0.7)) await withdraw();
    await earn(day);
    await tell({ do: 'jobs' });
    outside();
    await hear();
    // what is still unknown is asked for by the next runs
    for (let turn = 0; turn < 2; turn++) {
      now = new Date(now.getTime() + 3_600_000);
      await tell({ do: 'jobs' });
      await hear();
    }
    stripe.faults.length = 0;
    paypal.faults.length = 0;
    // what it took in the moment it went down is known a day later
    if (!stripe.down) await assertBooks(sql, { stripe, paypal });
    const ended = await sql<Array<{ server_id: string }>>`
      select server_id from subscriptions where state = 'ended' and server_id = any(${[...owned.keys()]})`;
    for (const { server_id } of ended) owned.delete(server_id);
  }
  child.disconnect();
  return report;

  /** Views and income of the day before. */
  async function earn(day: number): Promise<void> {
    const before = new Date(input.first.getTime() + (day - 1) * day_ms).toISOString().slice(0, 10);
    const rows = input.projects
      .filter(() => chance(0.8))
      .map(({ id }) => ({
        ...{ at: `${before}T00:00:00Z`, amount: 1 + Math.floor(next() * 500) },
        ...{ kind: 'view', project_id: id, monetized: true },
      }));
    if (rows.length > 0) await sql`insert into analytics_days ${sql(rows)}`;
    const amount_minor = 1 + Math.floor(next() * 50_000);
    const income = { day: before, source: 'ads', amount_minor, impressions: 0, note: '' } as const;
    if (chance(0.9)) await tell({ do: 'income', input: { ...income, reference: `day ${before}` } });
  }
}

async function start(place: Place): Promise<ChildProcess> {
  const child = fork(worker, [JSON.stringify(place)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [ready] = (await once(child, 'message')) as [Answer];
  expect(ready.ok).toBe(true);
  return child;
}
