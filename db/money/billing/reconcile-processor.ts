import type { Pool } from '../../platform/postgres/sql.ts';
import { asked_days } from './fees.ts';
import type { ListedMoney, Payments } from './payments.ts';
import { type Difference, max_differences } from './revenue/difference.ts';

/** What is listed of the processor is compared so many at a time. */
const batch = 500;
/** A payment may be opened before the range and settled in it: so far from its edges nothing is missed. */
const edge_ms = 24 * 3_600_000;
/** Fees are asked for until they are known: after a day, and of payments that are not older than `asked_days`. */
const known_ms = 24 * 3_600_000;

/** What a processor's account says differs from charges and refunds, and all its fees. */
export interface ProcessorReport {
  differences: Difference[];
  fees: Array<{ currency: string; amount_minor: number }>;
}

/**
 * Compares what a processor lists between two times with the charges and refunds that are stored: amounts that differ, money
 * that only one of them knows, refunds that somebody made at the processor itself. Null for a processor without a list.
 * Refuses `payments_unreachable`.
 */
export async function reconcileProcessor(
  sql: Pool,
  payments: Payments,
  from: Date,
  until: Date,
): Promise<ProcessorReport | null> {
  if (!payments.list) return null;
  const differences: Difference[] = [];
  const fees = new Map<string, number>();
  const seen = { payment: new Set<string>(), refund: new Set<string>() };
  let some: ListedMoney[] = [];
  const compare = async () => {
    if (differences.length < max_differences)
      differences.push(...(await differing(sql, payments.name, some, until)));
    some = [];
  };
  for await (const one of payments.list(from, until)) {
    if (one.kind === 'fee') {
      fees.set(one.currency, (fees.get(one.currency) ?? 0) + one.amount_minor);
    } else seen[one.kind].add(one.kind === 'payment' ? one.intent_id : (one.key ?? one.intent_id));
    some.push(one);
    if (some.length >= batch) await compare();
  }
  await compare();
  const inner = { from: new Date(from.getTime() + edge_ms), until: new Date(until.getTime() - edge_ms) };
  for (const stored of await storedMoney(sql, payments.name, inner)) {
    if (seen[stored.kind].has(stored.key)) continue;
    const amount = `${stored.amount_minor} ${stored.currency}`;
    differences.push({
      what: `${stored.kind} ${stored.id}`,
      ledger: amount,
      expected: `not at ${payments.name}`,
    });
  }
  return {
    differences: differences.slice(0, max_differences),
    fees: [...fees].map(([currency, amount_minor]) => ({ currency, amount_minor })).sort(byCurrency),
  };
}

const byCurrency = (a: { currency: string }, b: { currency: string }) => (a.currency < b.currency ? -1 : 1);

/** How listed payments and refunds differ from what is stored of them. `expected` is what the processor says. */
const differing = (
  sql: Pool,
  processor: string,
  listed: readonly ListedMoney[],
  until: Date,
): Promise<Difference[]> => {
  const before = (ms: number) => new Date(until.getTime() - ms);
  return sql<Difference[]>`
    with listed as (
      select * from unnest(
        ${listed.map(({ kind }) => kind)}::text[], ${listed.map(({ intent_id }) => intent_id)}::text[],
        ${listed.map(({ key }) => key)}::text[], ${listed.map(({ amount_minor }) => amount_minor)}::bigint[],
        ${listed.map(({ currency }) => currency)}::text[]) as x (kind, intent_id, key, amount, currency)
    ), compared as (
      select 'payment ' || l.intent_id as what, l.amount || ' ' || l.currency as expected,
        case when c.state in ('succeeded', 'refunded') then c.amount_minor || ' ' || c.currency
          else coalesce(c.state, 'unknown here') end as ledger
      from listed l left join charges c on c.intent_id = l.intent_id and c.processor = ${processor}
      where l.kind = 'payment'
      union all
      select 'refund of ' || l.intent_id, l.amount || ' ' || l.currency,
        coalesce(r.amount_minor || ' ' || c.currency, case when c.state = 'refunded' and c.id = l.key
          then (c.amount_minor - coalesce((select sum(g.amount_minor) from refunds g where g.charge_id = c.id), 0))::bigint
            || ' ' || c.currency end, 'made at the processor itself')
      from listed l join charges c on c.intent_id = l.intent_id and c.processor = ${processor}
        left join refunds r on r.id = l.key and r.charge_id = c.id
      where l.kind = 'refund'
      union all
      select 'fee of ' || l.intent_id, l.amount || ' ' || l.currency, coalesce(c.fee_minor || ' ' || c.fee_currency, 'not known yet')
      from listed l join charges c on c.intent_id = l.intent_id and c.processor = ${processor}
      where l.kind = 'fee' and (c.fee_minor is not null
        or c.settled between ${before(asked_days * 86_400_000)} and ${before(known_ms)})
    )
    select what, ledger, expected from compared where ledger <> expected order by what`;
};

interface Stored {
  kind: 'payment' | 'refund';
  id: string;
  /** How the processor lists it. */
  key: string;
  amount_minor: number;
  currency: string;
}
/**
 * Payments and refunds that the processor must have listed. What a refunded charge lost beyond its refunds was given back
 * whole, under the id of the charge, when the ledger says.
 */
const storedMoney = (sql: Pool, processor: string, { from, until }: { from: Date; until: Date }) =>
  sql<Stored[]>`
    select 'payment' as kind, id, coalesce(intent_id, '') as key, amount_minor, currency from charges
    where processor = ${processor} and state in ('succeeded', 'refunded') and settled >= ${from} and settled < ${until}
    union all
    select 'refund', r.id, r.id, r.amount_minor, c.currency from refunds r join charges c on c.id = r.charge_id
    where c.processor = ${processor} and r.created >= ${from} and r.created < ${until}
    union all
    select 'refund', c.id, c.id, c.amount_minor - g.amount, c.currency
    from ledger_transactions t join charges c on c.id = t.charge_id
      cross join lateral (
        select coalesce(sum(r.amount_minor), 0)::bigint as amount from refunds r where r.charge_id = c.id) g
    where t.kind = 'refund' and t.created >= ${from} and t.created < ${until}
      and c.processor = ${processor} and c.state = 'refunded' and c.amount_minor > g.amount
    limit 1000000`;
