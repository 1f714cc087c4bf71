import type { Db } from '../../../platform/postgres/sql.ts';
import { postOwn } from '../ledger.ts';
import { bookIncome } from '../revenue/income.ts';
import { dayOf, revenueCurrency } from '../revenue/rules.ts';
import { halfLeft } from './rules.ts';

/** What of a charge of Plus creators get now, in US cents: 0 unless it is paid, null for a charge of a server. */
async function halfOf(tx: Db, charge_id: string): Promise<number | null> {
  const [charge] = await tx<
    Array<{ state: string; creators_minor: number; amount_minor: number; given_minor: number }>
  >`
    select c.state, c.creators_minor, c.amount_minor,
      (select coalesce(sum(r.amount_minor), 0)::bigint from refunds r where r.charge_id = c.id) as given_minor
    from charges c where c.id = ${charge_id} and c.creators_minor is not null`;
  if (!charge) return null;
  return charge.state === 'succeeded' ? halfLeft(charge) : 0;
}

/**
 * Half of every paid period of Plus goes to creators: it is income of the day of the payment, in US dollars by the table of
 * prices, and is divided with what ads earned. Once for each charge, in the transaction that books its payment, or a
 * dispute that was won; less what was refunded. A charge of a server, and one that is not paid, changes nothing.
 */
export async function giveHalf(tx: Db, charge_id: string, now: Date): Promise<void> {
  const amount_minor = await halfOf(tx, charge_id);
  if (!amount_minor) return;
  const income = {
    ...{ day: dayOf(now), source: 'plus' as const, reference: charge_id, entered_by: null },
    ...{ amount_minor, fees_minor: 0, impressions: 0, note: '' },
  };
  await bookIncome(tx, income, now);
}

/**
 * Takes the half of a disputed charge back, as long as it was not divided. What creators were promised already stays
 * theirs: then the platform bears it. A charge of a server changes nothing. `step` names the dispute or refund.
 */
export const takeHalfBack = (tx: Db, charge_id: string, step: string, now: Date): Promise<void> =>
  lowerHalf(tx, charge_id, 0, step, now);

/** Lowers the half of a charge to that of what is left after its refunds, as `takeHalfBack` does. */
export async function lowerHalfAfterRefund(
  tx: Db,
  charge_id: string,
  refund_id: string,
  now: Date,
): Promise<void> {
  const left = await halfOf(tx, charge_id);
  if (left !== null) await lowerHalf(tx, charge_id, left, refund_id, now);
}

async function lowerHalf(
  tx: Db,
  charge_id: string,
  left_minor: number,
  step: string,
  now: Date,
): Promise<void> {
  const [income] = await tx<Array<{ id: string; amount_minor: number }>>`
    select id, amount_minor from revenue_incomes
    where source = 'plus' and reference = ${charge_id} and division_id is null for update`;
  if (!income || income.amount_minor <= left_minor) return;
  const { id } = income;
  if (left_minor === 0) await tx`delete from revenue_incomes where id = ${id}`;
  else await tx`update revenue_incomes set amount_minor = ${left_minor} where id = ${id}`;
  const amount_minor = income.amount_minor - left_minor;
  const entries = [
    { account: 'undivided:creators' as const, amount_minor },
    { account: 'source:plus' as const, amount_minor: -amount_minor },
  ];
  const reference = `back:${id}:${step}`;
  await postOwn(tx, 'earning', [{ reference, currency: revenueCurrency, entries }], now);
}
