import { randomUUID } from 'node:crypto';
import type { Random } from '#db/demo/art/random.ts';
import type { CheckoutResult } from '#db/money/billing/checkout.ts';
import { paymentStep } from '#db/money/billing/rules.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { Pool } from '#db/platform/postgres/sql.ts';
import { orderInput } from '#db/testing/billing.ts';
import { withdrawal } from '#db/testing/payouts.ts';
import type { CardKind } from '#db/testing/stripe/account.ts';
import type { StripeSimulator } from '#db/testing/stripe/simulator.ts';
import type { Command } from './commands.ts';

/** How cards behave: most pay, some only while their owner is there, some never. */
const cards: CardKind[] = [
  ...Array<CardKind>(14).fill('good'),
  ...(['fails_later', 'fails_later', 'asks', 'declined', 'insufficient'] as const),
];
const plans = ['small', 'medium', 'large'] as const;
const intervals = ['monthly', 'monthly', 'monthly', 'quarterly', 'yearly'] as const;
// two, none and three digits after the point
const currencies = ['USD', 'EUR', 'JPY', 'KWD'] as const;
const mistakes = [0, -500, 2 ** 53, 1.5, Number.MAX_SAFE_INTEGER];

/** Who there is, and how they reach the product. */
export interface Town {
  sql: Pool;
  stripe: StripeSimulator;
  random: Random;
  /** Those who buy; whoever deletes the account leaves the list. */
  people: Actor[];
  /** Projects that earn, for the points of each day, and who owned them. */
  projects: Array<{ id: string; owner: Actor }>;
  staff: Actor;
  /** Servers by their owner. */
  owned: Map<string, Actor>;
  /** Deleted while they had money that was not released yet, or not withdrawn. */
  gone_with_money: number;
  tell<T>(command: Command): Promise<T | null>;
}

async function enterCard({ tell, stripe, random }: Town, actor: Actor): Promise<string | null> {
  const begun = await tell<{ client_secret: string }>({ do: 'card', actor });
  return begun && stripe.account.enterCard(begun.client_secret, random.pick(cards));
}

/** Somebody orders a server. */
export async function buyServer(town: Town): Promise<void> {
  const { pick } = town.random;
  const actor = pick(town.people);
  const card = await enterCard(town, actor);
  if (card === null) return;
  const wish = { plan: pick(plans), interval: pick(intervals), currency: pick(currencies) };
  const input = orderInput({ ...wish, op_id: randomUUID() } as never);
  const bought = await town.tell<CheckoutResult>({ do: 'order', actor, input, card });
  if (bought) town.owned.set(bought.server_id, actor);
}

/** Somebody buys Plus; those who have it cancel it, take it up again or choose another interval. */
export async function actOnPlus(town: Town): Promise<void> {
  const { next, pick } = town.random;
  const [has] = await town.sql<Array<{ user_id: string }>>`
    select user_id from subscriptions where product = 'plus' and state not in ('ended', 'pending') order by random() limit 1`;
  const owner = has && town.people.find(({ user_id }) => user_id === has.user_id);
  const what = next();
  if (owner && what < 0.15) await town.tell({ do: 'cancel_plus', actor: owner });
  if (owner && what > 0.7)
    await town.tell({
      ...{ do: 'renew_plus', actor: owner },
      card: next() < 0.5 ? await enterCard(town, owner) : null,
    });
  if (owner && what > 0.15 && what < 0.3)
    await town.tell({ do: 'switch_plus', actor: owner, interval: pick(intervals) });
  const actor = pick(town.people);
  const card = await enterCard(town, actor);
  const order = { op_id: randomUUID(), interval: pick(intervals), currency: pick(currencies) };
  if (card !== null) await town.tell({ do: 'plus', actor, order, card });
}

/** The owner of a server cancels, resubscribes or changes the plan. */
export async function actOnServer(town: Town, server_id: string, actor: Actor): Promise<void> {
  const { next, pick } = town.random;
  const what = next();
  if (what < 0.3) await town.tell({ do: 'cancel', actor, server_id });
  else if (what < 0.6)
    await town.tell({ do: 'resubscribe', actor, server_id, card: await enterCard(town, actor) });
  else {
    const wanted = { plan: pick(plans), interval: pick(intervals), server_id, op_id: randomUUID() };
    await town.tell({ do: 'change', actor, wanted });
  }
}

/** A creator withdraws a part, all, or what cannot be; some change their mind while it is on its way. */
export async function withdraw(town: Town): Promise<void> {
  const { next, pick, int } = town.random;
  const { owner: actor } = pick(town.projects);
  const address = `${pick(['good', 'good', 'good', 'stranger', 'slow', 'held', 'blocked', 'locked'])}@example.org`;
  const what = next();
  const amount_minor =
    what < 0.05 ? pick(mistakes) : what < 0.5 ? int(25, 3_000) : await availableOf(town, actor);
  const input = withdrawal({ op_id: randomUUID(), address, amount_minor });
  const made = await town.tell<{ id: string; state: string }>({ do: 'withdraw', actor, input });
  if (!made && amount_minor > 50_000) await town.tell({ do: 'tax_form', actor });
  if (made?.state === 'in-transit' && next() < 0.3)
    await town.tell({ do: 'cancel_payout', actor, id: made.id });
}

async function availableOf({ sql }: Town, { user_id }: Actor): Promise<number> {
  const [row] = await sql<Array<{ minor: number }>>`
    select coalesce(-sum(amount_minor), 0)::bigint as minor from ledger_entries where account_id = ${`creator:${user_id}`}`;
  return row!.minor;
}

/** Staff give back a payment or a part of it, and end what it was for or leave it. */
export async function refund(town: Town): Promise<void> {
  const { next, pick, int } = town.random;
  const [charge] = await town.sql<Array<{ id: string; left: number; currency: 'USD' }>>`
    select id, currency, amount_minor - (select coalesce(sum(amount_minor), 0) from refunds where charge_id = c.id)::bigint as left
    from charges c where state = 'succeeded' order by random() limit 1`;
  if (!charge) return;
  const step = paymentStep(charge.currency);
  const what = next();
  const part = what < 0.1 ? pick(mistakes) : int(1, Math.max(1, Math.floor(charge.left / step))) * step;
  const input = {
    ...{ op_id: randomUUID(), charge_id: charge.id, seen_minor: null, reason: 'It was slow.' },
    ...{ amount_minor: what < 0.5 ? part : null, takes_service: next() < 0.5 },
  };
  await town.tell({ do: 'refund', actor: town.staff, input });
}

/** Somebody deletes their account: a creator, whose projects stay, or one of those who buy. */
export async function deletePerson(town: Town): Promise<void> {
  const { next, pick } = town.random;
  const creators = [...new Set(town.projects.map(({ owner }) => owner))];
  const actor = next() < 0.5 ? pick(creators) : pick(town.people);
  const [earned] = await town.sql<Array<{ minor: number }>>`
    select coalesce(sum(s.amount_micros), 0)::bigint as minor from revenue_shares s join revenue_divisions d on d.id = s.division_id
    where s.user_id = ${actor.user_id} and d.period not in (select period from revenue_releases)`;
  const has_money = earned!.minor > 0 || (await availableOf(town, actor)) > 0;
  await town.tell({ do: 'delete_person', actor });
  const [stays] = await town.sql`select 1 from users where id = ${actor.user_id}`;
  if (stays) return;
  town.people = town.people.filter((one) => one !== actor);
  // the projects stay and have views, but their owner withdraws nothing more
  town.projects = town.projects.map((one) => (one.owner === actor ? { ...one, owner: pick(creators) } : one));
  if (has_money) town.gone_with_money += 1;
}

/** Views and income of the day before. */
export async function earn(town: Town, day: string): Promise<void> {
  const { next, int } = town.random;
  const rows = town.projects
    .filter(() => next() < 0.8)
    .map(({ id }) => ({
      ...{ at: `${day}T00:00:00Z`, amount: int(1, 500) },
      ...{ kind: 'view', project_id: id, monetized: true },
    }));
  if (rows.length > 0) await town.sql`insert into analytics_days ${town.sql(rows)}`;
  const income = { day, source: 'ads', amount_minor: int(1, 50_000), impressions: 0, note: '' } as const;
  if (next() < 0.9) await town.tell({ do: 'income', input: { ...income, reference: `day ${day}` } });
}
