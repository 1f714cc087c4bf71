import { Refused } from '../../../platform/errors.ts';
import { operator } from '../../../platform/people/rules.ts';
import type { Pool } from '../../../platform/postgres/sql.ts';
import type { AdNetwork } from '../../ads/network.ts';
import { addIncome } from './income.ts';
import { dayOf } from './rules.ts';

const day_ms = 86_400_000;
/** A day is over for good when its last impressions have been written. */
const settle_ms = 2 * 3_600_000;
/** Days that are asked for again: what was not entered by then has to be entered by hand. */
const days_back = 7;

/** What a run entered, and what was refused, such as `2026-11-26 income_below_fees`. */
export interface AdIncome {
  days: number;
  amount_minor: number;
  refused: string[];
  /** Days that earned more than the limit, such as `2026-11-26 69120 above the limit`. */
  limited: string[];
}

/**
 * Enters what a network of ads earned on each of the last seven days that are over, each day once: its reference is the
 * network and the day, so that processes and further runs find it entered. A day on which fees are more than income is
 * refused and named. `fee_micros`: what each impression costs, in millionths of a dollar.
 */
export async function enterAdIncome(
  sql: Pool,
  network: AdNetwork,
  fee_micros: number,
  now: Date,
): Promise<AdIncome> {
  const done: AdIncome = { days: 0, amount_minor: 0, refused: [], limited: [] };
  const last = now.getTime() - settle_ms - day_ms;
  for (let back = days_back - 1; back >= 0; back--) {
    const day = dayOf(new Date(last - back * day_ms));
    const reference = `${network.name}:${day}`;
    const [known] = await sql`
      select 1 from revenue_incomes where source = 'ads' and revenue_incomes.reference = ${reference}`;
    const report = known ? null : await network.reportOf(sql, day);
    if (!report) continue;
    const { over_minor = 0, ...earned } = report;
    const note = over_minor > 0 ? `limited: ${over_minor} more cents were left out` : '';
    const input = { ...earned, day, source: 'ads', reference, note } as const;
    try {
      await sql.begin(async (tx) => await addIncome(tx, operator, input, fee_micros, now));
      done.days += 1;
      done.amount_minor += report.amount_minor;
      if (over_minor > 0) done.limited.push(`${day} ${over_minor} above the limit`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code !== 'income_known') done.refused.push(`${day} ${error.code}`);
    }
  }
  return done;
}
