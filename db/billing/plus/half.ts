import type { Db } from '../../sql.ts';
import { postOwn } from '../ledger.ts';
import { bookIncome } from '../revenue/income.ts';
import { dayOf, revenueCurrency } from '../revenue/rules.ts';

/**
 * Half of every paid period of Plus goes to creators: it is income of the day of the payment, in US dollars by the table of
 * prices, and is divided with what ads earned. Once for each charge, in the transaction that books its payment, or a
 * dispute that was won. A charge of a server, and one that is not paid, changes nothing.
 */
export async function giveHalf(tx: Db, charge_id: string, now: Date): Promise<void> {
  const [paid] = await tx<Array<{ creators_minor: number }>>`
    select creators_minor from charges
    where id = ${charge_id} and state = 'succeeded' and creators_minor is not null`;
  if (!paid) return;
  const income = {
    ...{ day: dayOf(now), source: 'plus' as const, reference: charge_id, entered_by: null },
    ...{ amount_minor: paid.creators_minor, fees_minor: 0, impressions: 0, note: '' },
  };
  await bookIncome(tx, income, now);
}

/**
 * Takes the half of a charge back that was refunded or is disputed, as long as it was not divided. What creators were
 * promised already stays theirs: then the platform bears it. A charge of a server changes nothing.
 */
export async function takeHalfBack(tx: Db, charge_id: string, now: Date): Promise<void> {
  const [taken] = await tx<Array<{ id: string; amount_minor: number }>>`
    delete from revenue_incomes where source = 'plus' and reference = ${charge_id} and division_id is null
    returning id, amount_minor`;
  if (!taken) return;
  const { id, amount_minor } = taken;
  const entries = [
    { account: 'undivided:creators' as const, amount_minor },
    { account: 'source:plus' as const, amount_minor: -amount_minor },
  ];
  await postOwn(tx, 'earning', [{ reference: `back:${id}`, currency: revenueCurrency, entries }], now);
}
