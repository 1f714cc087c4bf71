import { randomBytes } from 'node:crypto';
import { postOwn } from '../money/billing/ledger.ts';
import type { WithdrawalContext } from '../money/payouts/payout-context.ts';
import type {
  PayoutOutcome,
  PayoutProvider,
  PayoutRecord,
  ProviderState,
} from '../money/payouts/provider.ts';
import type { WithdrawalInput } from '../money/payouts/request.ts';
import { localTaxForms } from '../money/payouts/tax/local.ts';
import { Refused } from '../platform/errors.ts';
import { newId } from '../platform/id.ts';
import type { Db, Pool } from '../platform/postgres/sql.ts';
import { parseSettings } from '../platform/runtime/env.ts';
import { createSealer } from '../platform/secrets/seal.ts';

/** Credits a creator as a release does. */
export async function earn(db: Db, user_id: string, amount_minor: number, now: Date): Promise<void> {
  const entries = [
    { account: 'remainder:creators' as const, amount_minor },
    { account: `creator:${user_id}` as const, amount_minor: -amount_minor },
  ];
  await postOwn(db, 'release', [{ reference: `test:${newId()}`, currency: 'USD', entries }], now);
}

/** A withdrawal of $10 by PayPal to somebody in Germany, unless `given` says otherwise. */
export const withdrawal = (given: Partial<WithdrawalInput> = {}): WithdrawalInput => ({
  op_id: newId(),
  country: 'DE',
  type: 'paypal',
  method_id: 'paypal',
  address: 'ada@example.org',
  receiver: '',
  amount_minor: 1_000,
  ...given,
});

/** A context without a log. */
export const payoutContext = (sql: Pool, ...providers: PayoutProvider[]): WithdrawalContext => ({
  sql,
  providers,
  log: { warn: () => {}, error: () => {} },
  taxForms: localTaxForms('https://cairn.example'),
  mailing: { settings: parseSettings({}), sealer: createSealer(randomBytes(32)) },
});

/** What the next call of a scripted provider does: answer, never arrive, or arrive while the answer is lost. */
export type Line = 'works' | 'before' | 'after';

/** A provider in memory whose lines break as told, and that counts what it was told to pay. */
export class ScriptedPayouts implements PayoutProvider {
  readonly name = 'test';
  readonly test = true;
  readonly verify = null;
  readonly paid = new Map<string, { amount_minor: number; state: ProviderState }>();
  line: Line = 'works';
  /** What becomes of the next payout. */
  next: ProviderState = 'success';
  /** Keys that it knows nothing of when it is asked for one; its books have them. */
  readonly gone = new Set<string>();
  /** Whether its books can be read. */
  books = true;

  methods = async () => [
    {
      ...{ id: 'paypal', type: 'paypal' as const, name: 'PayPal', category: 'paypal' as const },
      ...{ image_url: null, logo_url: null, currency: null, exchange_rate: null },
      interval: { min_minor: 1, max_minor: 10_000_000 },
    },
  ];
  send: PayoutProvider['send'] = async ({ key, amount_minor }) =>
    this.#answer(() => {
      if (!this.paid.has(key)) this.paid.set(key, { amount_minor, state: this.next });
      const { reference, ...outcome } = this.outcomeOf(key);
      return this.gone.has(key)
        ? { reference, state: 'in-transit', failure: null }
        : { reference, ...outcome };
    });
  retrieve: PayoutProvider['retrieve'] = async ({ key, reference }) =>
    this.#answer(() => this.#told(key, reference));
  cancel: NonNullable<PayoutProvider['cancel']> = async ({ key, reference }) =>
    this.#answer(() => {
      const known = this.paid.get(key);
      if (known?.state === 'in-transit' && !this.gone.has(key)) known.state = 'cancelled';
      return this.#told(key, reference);
    });
  async *list(): AsyncGenerator<PayoutRecord> {
    if (!this.books) throw new Refused('payouts_unreachable');
    for (const [key, { amount_minor, state }] of this.paid)
      yield { key, reference: `book_${key}`, amount_minor, state };
  }

  /** What it says of a payout now. */
  outcomeOf(key: string): PayoutOutcome {
    const known = this.paid.get(key);
    return known
      ? { reference: `ref_${key}`, state: known.state, failure: known.state === 'failed' ? 'other' : null }
      : { reference: null, state: 'in-transit', failure: null };
  }

  #told(key: string, reference: string | null): PayoutOutcome {
    if (!this.gone.has(key)) return this.outcomeOf(key);
    return { reference: null, state: reference === null ? 'in-transit' : 'gone', failure: null };
  }

  #answer(work: () => PayoutOutcome): PayoutOutcome {
    const line = this.line;
    this.line = 'works';
    if (line === 'before') throw new Error('The line broke on the way there.');
    const outcome = work();
    if (line === 'after') throw new Error('The line broke on the way back.');
    return outcome;
  }
}
