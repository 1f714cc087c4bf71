import type { Db } from '../../platform/postgres/sql.ts';
import type { ChargeRequest } from './payments.ts';
import type { ChargeReason } from './rules.ts';

/** What to send to the processor for a charge that is not settled; `ask` is null when there is no card to charge. */
export interface OpenChargeRequest {
  ask: ChargeRequest | null;
  intent_id: string | null;
}
interface SendableCharge extends Pick<ChargeRequest, 'amount_minor' | 'currency' | 'customer' | 'again'> {
  reason: ChargeReason;
  intent_id: string | null;
  reference: string | null;
  opened: string;
}
/**
 * An open charge, or null for one that is settled or unknown, or was sent to another processor than this: only that one
 * knows what became of it. One that was opened for another processor and never sent has nothing to charge.
 */
export async function findOpenCharge(
  db: Db,
  charge_id: string,
  processor: string,
  now: Date,
): Promise<OpenChargeRequest | null> {
  const [row] = await db<SendableCharge[]>`
    select c.amount_minor, c.currency, c.reason, c.intent_id, m.reference, p.reference as customer, c.created as opened,
      c.last_tried is not null as again
    from charges c
      left join payment_methods m on m.id = c.method_id and m.processor = c.processor and c.processor = ${processor}
      left join payment_customers p on p.user_id = c.user_id and p.processor = c.processor
    where c.id = ${charge_id} and ${collectable(db, processor)}`;
  if (!row) return null;
  const { reason, reference, intent_id, opened, ...rest } = row;
  const how = { key: charge_id, unattended: reason === 'renewal', opened: new Date(opened), now };
  return { ask: reference === null ? null : { ...rest, ...how, reference }, intent_id };
}

/** Charges that are not settled and that `processor` can settle: its own, and those that no processor knows. */
export const collectable = (db: Db, processor: string) => db`(
  (c.state in ('open', 'waiting') and c.processor = ${processor}) or (c.state = 'open' and c.last_tried is null))`;

/** The charge that a processor told about, by its id where it was named, else by its intent; null for that of another one. */
export async function chargeAt(
  db: Db,
  processor: string,
  { charge_id, intent_id }: { charge_id: string | null; intent_id: string | null },
): Promise<string | null> {
  const [row] = await db<Array<{ id: string }>>`
    select id from charges where processor = ${processor} and ${charge_id ? db`id = ${charge_id}` : db`intent_id = ${intent_id}`}`;
  return row?.id ?? null;
}
