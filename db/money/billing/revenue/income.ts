import { assertAllowed, Refused } from '../../../platform/errors.ts';
import { recordEvent } from '../../../platform/events/write.ts';
import { newId } from '../../../platform/id.ts';
import { type Actor, accountOf, isAdmin, whyNotProved } from '../../../platform/people/rules.ts';
import type { Db } from '../../../platform/postgres/sql.ts';
import { postOwn } from '../ledger.ts';
import { feesOf, maxImpressions, maxIncome, type NewIncome, revenueCurrency, whyNotIncome } from './rules.ts';

/** Income of one day, as it was entered. Amounts are US cents. */
export interface Income extends NewIncome {
  id: string;
  reference: string;
  fees_minor: number;
  note: string;
  /** Null for the operator, and for accounts that are gone. */
  entered_by: string | null;
  created: string;
  /** Whether creators have their share of it. */
  is_divided: boolean;
}

/**
 * Enters income of a day that is over, and posts it to the ledger. `fee_micros` are the millionths of a dollar that each
 * impression costs. Refuses `admins_only`, `proof_required`, `income_day_unknown`, `income_day_ahead`, `income_amount`,
 * `income_impressions`, `income_below_fees`, and `income_known` when the source has the reference already. Source:
 * screens §A.6 (revenue maths).
 */
export async function addIncome(
  tx: Db,
  actor: Actor,
  input: NewIncome & { reference: string; note: string },
  fee_micros: number,
  now: Date,
): Promise<{ id: string; fees_minor: number }> {
  assertAllowed(isAdmin(actor) ? whyNotProved(actor, now) : 'admins_only');
  const { reference, source, amount_minor, day } = input;
  const fees_minor = feesOf(input.impressions, fee_micros);
  const numbers = { most: maxIncome / 100, impressions: maxImpressions };
  assertAllowed(whyNotIncome(input, fees_minor, now), { day, ...numbers });
  if (!/^[\w.:/ -]{1,80}$/.test(reference)) throw new Refused('income_reference', { most: 80 });
  const entered = {
    ...{ day, source, reference, amount_minor, fees_minor, impressions: input.impressions },
    ...{ note: input.note.slice(0, 500), entered_by: accountOf(actor) },
  };
  const id = await bookIncome(tx, entered, now);
  if (id === null) throw new Refused('income_known', { reference, source });
  return { id, fees_minor };
}

/**
 * Stores income that was checked and posts it to the ledger, once for its source and reference: gives its id, null for one
 * that is there already. Amounts in US cents.
 */
export async function bookIncome(
  tx: Db,
  income: Omit<Income, 'id' | 'created' | 'is_divided'>,
  now: Date,
): Promise<string | null> {
  const id = newId();
  const { day, source, amount_minor, entered_by } = income;
  const made = await tx`
    insert into revenue_incomes ${tx({ ...income, id, created: now })}
    on conflict (source, reference) do nothing returning id`;
  if (made.length === 0) return null;
  const entries = [
    { account: `source:${source}` as const, amount_minor },
    { account: 'undivided:creators' as const, amount_minor: -amount_minor },
  ];
  await postOwn(tx, 'earning', [{ reference: id, currency: revenueCurrency, entries }], now);
  await recordEvent(tx, {
    name: 'income.entered',
    actor_id: entered_by,
    data: { income_id: id, day, source, amount_minor },
  });
  return id;
}

/** The latest entries of income by their days, at most `limit`. */
export const incomes = async (db: Db, limit: number): Promise<Income[]> =>
  await db<Income[]>`
    select id, day::text as day, source, reference, amount_minor, fees_minor, impressions, note, entered_by, created,
      division_id is not null as is_divided
    from revenue_incomes order by revenue_incomes.day desc, created desc, id limit ${limit}`;
