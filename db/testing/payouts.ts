import { postOwn } from '../billing/ledger.ts';
import { newId } from '../id.ts';
import type { PayoutContext } from '../payouts/payout-context.ts';
import type { PayoutOutcome, PayoutProvider } from '../payouts/provider.ts';
import type { WithdrawalInput } from '../payouts/request.ts';
import type { Db, Pool } from '../sql.ts';

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
export const payoutContext = (sql: Pool, ...providers: PayoutProvider[]): PayoutContext => ({
  sql,
  providers,
  log: { warn: () => {} },
});

/** What the next call of a scripted provider does: answer, never arrive, or arrive while the answer is lost. */
export type Line = 'works' | 'before' | 'after';

/** A provider in memory whose lines break as told, and that counts what it was told to pay. */
export class ScriptedPayouts implements PayoutProvider {
  readonly name = 'test';
  readonly test = true;
  readonly verify = null;
  readonly paid = new Map<string, { amount_minor: number; state: PayoutOutcome['state'] }>();
  line: Line = 'works';
  /** What becomes of the next payout. */
  next: PayoutOutcome['state'] = 'success';

  methods = async () => [
    {
      ...{ id: 'paypal', type: 'paypal' as const, name: 'PayPal', category: 'paypal' as const },
      ...{ image_url: null, logo_url: null, currency: null, exchange_rate: null },
      interval: { min_minor: 1, max_minor: 10_000_000 },
    },
  ];
  send: PayoutProvider['send'] = async ({ key, amount_minor }) =>
    this.#answer(key, () => {
      if (!this.paid.has(key)) this.paid.set(key, { amount_minor, state: this.next });
    });
  retrieve: PayoutProvider['retrieve'] = async ({ key }) => this.#answer(key, () => {});
  cancel = async ({ key }: { key: string }) =>
    this.#answer(key, () => {
      const known = this.paid.get(key);
      if (known?.state === 'in-transit') known.state = 'cancelled';
    });
  async *list(): AsyncGenerator<never> {}

  /** What it says of a payout now. */
  outcomeOf(key: string): PayoutOutcome {
    const known = this.paid.get(key);
    return known
      ? { reference: `ref_${key}`, state: known.state, failure: known.state === 'failed' ? 'other' : null }
      : { reference: null, state: 'in-transit', failure: null };
  }

  #answer(key: string, work: () => void): PayoutOutcome {
    const line = this.line;
    this.line = 'works';
    if (line === 'before') throw new Error('The line broke on the way there.');
    work();
    if (line === 'after') throw new Error('The line broke on the way back.');
    return this.outcomeOf(key);
  }
}
