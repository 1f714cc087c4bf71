import type { Db } from '../../platform/postgres/sql.ts';
import type { PayoutOutcome, PayoutProvider, PayoutRecord } from './provider.ts';
import { decimalOf } from './providers/decimal.ts';
import type { PayoutState } from './rules.ts';

/** Lines of a report; the counts tell of all. */
const max_lines = 100;
/** Payouts that are looked up one by one in a run. */
const max_looked_up = 1000;
const page_size = 500;
const day_ms = 86_400_000;

type DifferenceKind = 'missing_at_provider' | 'missing_here' | 'amount' | 'state';

/** What a provider and we have of one payout; null where there is none. */
interface PayoutDifference {
  kind: DifferenceKind;
  provider: PayoutProvider['name'];
  key: string | null;
  reference: string | null;
  ours: string | null;
  theirs: string | null;
}

/** How a provider's books compare with ours. */
interface ProviderReport {
  provider: PayoutProvider['name'];
  /** Payouts of ours in the range that are, or may be, at the provider; and those that agree. */
  ours: number;
  agree: number;
  /** Payments of the provider's account that have no key of ours: other programs may have made them. */
  others: number;
  differences: Record<DifferenceKind, number>;
}

export interface PayoutReport {
  providers: ProviderReport[];
  /** The first 100. */
  lines: PayoutDifference[];
}

interface Own {
  id: string;
  state: PayoutState;
  reference: string | null;
  net_minor: number;
  currency: string | null;
  is_in_range: boolean;
}

/**
 * Compares payouts that were made from `from` until `until` with what their providers have. A payout that is missing there or
 * has another state is asked for by itself before it counts: lists are hours behind. Refuses `payouts_unreachable`.
 */
export async function reconcilePayouts(
  sql: Db,
  providers: readonly PayoutProvider[],
  range: { from: Date; until: Date },
): Promise<PayoutReport> {
  const report: PayoutReport = { providers: [], lines: [] };
  for (const provider of providers) {
    const found = new Comparison(sql, provider, range, report.lines);
    report.providers.push(await found.run());
  }
  return report;
}

class Comparison {
  readonly #sql: Db;
  readonly #provider: PayoutProvider;
  readonly #range: { from: Date; until: Date };
  readonly #lines: PayoutDifference[];
  readonly #seen = new Set<string>();
  readonly #report: ProviderReport;
  #looked_up = 0;

  constructor(
    sql: Db,
    provider: PayoutProvider,
    range: { from: Date; until: Date },
    lines: PayoutDifference[],
  ) {
    this.#sql = sql;
    this.#provider = provider;
    this.#range = range;
    this.#lines = lines;
    const differences = { missing_at_provider: 0, missing_here: 0, amount: 0, state: 0 };
    this.#report = { provider: provider.name, ours: 0, agree: 0, others: 0, differences };
  }

  async run(): Promise<ProviderReport> {
    const { from, until } = this.#range;
    // sent a little after it was made, and by another clock
    const wider = { from: new Date(from.getTime() - day_ms), until: new Date(until.getTime() + day_ms) };
    let page: PayoutRecord[] = [];
    for await (const record of this.#provider.list(wider)) {
      page.push(record);
      if (page.length < page_size) continue;
      await this.#compare(page);
      page = [];
    }
    await this.#compare(page);
    await this.#findMissing();
    return this.#report;
  }

  /** Records of the provider with what we have of each. */
  async #compare(records: readonly PayoutRecord[]): Promise<void> {
    const keys = records.flatMap(({ key }) => key ?? []);
    const rows = await this.#sql<Own[]>`
      select id, state, reference, amount_minor - fee_minor as net_minor, currency,
        created >= ${this.#range.from} and created < ${this.#range.until} as is_in_range
      from payouts where provider = ${this.#provider.name} and id = any(${keys}::text[])`;
    const own = new Map(rows.map((row) => [row.id, row]));
    for (const record of records) {
      const mine = record.key === null ? undefined : own.get(record.key);
      if (record.key === null) this.#report.others += 1;
      else if (!mine) this.#differ('missing_here', record, null, told(record.amount_minor, record.state));
      else {
        // the same key twice at a provider is money that we know nothing of
        if (this.#seen.has(mine.id))
          this.#differ('missing_here', record, null, told(record.amount_minor, record.state));
        else if (mine.is_in_range) await this.#judge(mine, record);
        this.#seen.add(mine.id);
      }
    }
  }

  async #judge(mine: Own, record: PayoutRecord): Promise<void> {
    this.#report.ours += 1;
    const { net_minor, currency, state } = mine;
    // rewards in another currency are rounded to it, and fixed amounts are theirs by the rate of that day
    const spread = this.#provider.name === 'tremendous' && currency ? Math.ceil(net_minor * 0.02) + 2 : 0;
    if (Math.abs(record.amount_minor - net_minor) > spread)
      this.#differ('amount', record, told(net_minor, state), told(record.amount_minor, record.state));
    else if (sideOf(record.state) === sideOf(state) || (await this.#agreesNow(mine))) this.#report.agree += 1;
    else this.#differ('state', record, told(net_minor, state), told(record.amount_minor, record.state));
  }

  /** Payouts of ours in the range that the provider did not list, by their ids. */
  async #findMissing(): Promise<void> {
    for (let after = ''; ; ) {
      const rows = await this.#sql<Own[]>`
        select id, state, reference, amount_minor - fee_minor as net_minor, currency, true as is_in_range
        from payouts where provider = ${this.#provider.name} and id > ${after}
          and created >= ${this.#range.from} and created < ${this.#range.until}
        order by id limit ${page_size}`;
      for (const mine of rows) {
        // what never reached the provider, or was refused there, needs no counterpart
        const expected = mine.reference !== null && sideOf(mine.state) !== 'back';
        if (this.#seen.has(mine.id) || !(expected || mine.state === 'success')) continue;
        this.#report.ours += 1;
        if (await this.#agreesNow(mine)) this.#report.agree += 1;
        else
          this.#differ(
            'missing_at_provider',
            { key: mine.id, reference: mine.reference },
            told(mine.net_minor, mine.state),
            null,
          );
      }
      if (rows.length < page_size) return;
      after = rows.at(-1)!.id;
    }
  }

  /** Whether the provider, asked for this payout alone, says what we have. */
  async #agreesNow({ id, reference, state }: Own): Promise<boolean> {
    this.#looked_up += 1;
    if (this.#looked_up > max_looked_up) return false;
    const outcome = await this.#provider.retrieve({ key: id, reference });
    return outcome.reference !== null && sideOf(outcome.state) === sideOf(state);
  }

  #differ(
    kind: DifferenceKind,
    { key, reference }: { key: string | null; reference: string | null },
    ours: string | null,
    theirs: string | null,
  ): void {
    this.#report.differences[kind] += 1;
    if (this.#lines.length < max_lines)
      this.#lines.push({ kind, provider: this.#provider.name, key, reference, ours, theirs });
  }
}

/** Where the money is: at its receiver, back with us, or on its way. */
function sideOf(state: PayoutState | PayoutOutcome['state']): 'there' | 'back' | 'open' {
  if (state === 'success') return 'there';
  return state === 'failed' || state === 'cancelled' ? 'back' : 'open';
}

const told = (minor: number, state: string): string => `${decimalOf(minor)} ${state}`;
