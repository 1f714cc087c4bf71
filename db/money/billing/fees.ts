import type { Db, Pool } from '../../platform/postgres/sql.ts';
import { postOwn } from './ledger.ts';
import type { Money, Payments } from './payments.ts';

/** A fee that is not told of within a minute is asked for, at most once an hour. */
const told_ms = 60_000;
const again_ms = 3_600_000;
/** Of payments that are not older than so many days. */
export const asked_days = 40;

/**
 * Posts what a processor kept, once for its reference: `fees:<processor>` gets it from `processor:<processor>`, in the
 * currency of the fee. A negative one was given back; one of zero needs no transaction.
 */
export async function postFee(
  tx: Db,
  processor: string,
  reference: `${'charge' | 'dispute' | 'dispute_won'}:${string}`,
  { amount_minor, currency }: Money,
  now: Date,
): Promise<void> {
  if (amount_minor === 0) return;
  const entries = [
    { account: `fees:${processor}` as const, amount_minor },
    { account: `processor:${processor}` as const, amount_minor: -amount_minor },
  ];
  await postOwn(tx, 'fee', [{ reference, currency, entries }], now);
}

/**
 * Books the fee of a payment that is settled, once, also when several webhooks tell of it. Gives false for one that is
 * booked, not settled yet, or of another program of the account.
 */
export async function bookFee(
  tx: Db,
  processor: string,
  intent_id: string,
  fee: Money,
  now: Date,
): Promise<boolean> {
  const [charge] = await tx<Array<{ id: string }>>`
    update charges set fee_minor = ${fee.amount_minor}, fee_currency = ${fee.currency}
    where intent_id = ${intent_id} and processor = ${processor} and state in ('succeeded', 'refunded')
      and fee_minor is null
    returning id`;
  if (!charge) return false;
  await postFee(tx, processor, `charge:${charge.id}`, fee, now);
  return true;
}

/** Payments of a processor that takes fees whose fee is not known yet, by their intents, not asked for longest first. */
export async function withoutFee(
  db: Db,
  { name, feeOf }: Payments,
  now: Date,
  limit: number,
): Promise<string[]> {
  if (!feeOf) return [];
  const before = (ms: number) => new Date(now.getTime() - ms);
  const rows = await db<Array<{ intent_id: string }>>`
    select intent_id from charges
    where processor = ${name} and state in ('succeeded', 'refunded') and fee_minor is null and intent_id is not null
      and settled <= ${before(told_ms)} and settled > ${before(asked_days * 86_400_000)}
      and (fee_asked is null or fee_asked <= ${before(again_ms)})
    order by fee_asked nulls first, settled, id limit ${limit}`;
  return rows.map(({ intent_id }) => intent_id);
}

/** Asks for the fee of a payment and books it; false when it is not known yet. Refuses `payments_unreachable`. */
export async function collectFee(
  { sql, payments }: { sql: Pool; payments: Payments },
  intent_id: string,
  now: Date,
): Promise<boolean> {
  await sql`update charges set fee_asked = ${now} where intent_id = ${intent_id} and processor = ${payments.name}`;
  const fee = (await payments.feeOf?.(intent_id)) ?? null;
  if (fee) await sql.begin((tx) => bookFee(tx, payments.name, intent_id, fee, now));
  return fee !== null;
}
