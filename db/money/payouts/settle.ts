import { recordEvent } from '../../platform/events/write.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { type OwnTransaction, postOwn } from '../billing/ledger.ts';
import { revenueCurrency } from '../billing/revenue/rules.ts';
import type { PayoutOutcome } from './provider.ts';
import { isOpen, nextState, type PayoutState } from './rules.ts';

/**
 * Applies what a provider says of the payout with our `key`, in the caller's transaction. It may be said twice, late and out
 * of order: what is final stays, except that money that arrived may come back. What failed or was canceled returns to the
 * balance in full, once. What is `gone` stays as it is, and since when is noted. Gives the state that it has now, null for a
 * key that is not ours.
 */
export async function settlePayout(
  tx: Db,
  key: string,
  { reference, state: said, failure }: PayoutOutcome,
  now: Date,
): Promise<PayoutState | null> {
  const [payout] = await tx<Array<{ id: string; user_id: string; state: PayoutState }>>`
    select id, user_id, state from payouts where id = ${key}::text for no key update`;
  if (!payout) return null;
  const { id, user_id, state } = payout;
  if (said === 'gone') {
    await tx`update payouts set gone_since = ${now} where id = ${id} and settled is null and gone_since is null`;
    return state;
  }
  if (reference !== null)
    await tx`
      update payouts set reference = coalesce(reference, ${reference.slice(0, 200)}), gone_since = null
      where id = ${id} and (reference is null or gone_since is not null)`;
  const next = nextState(state, said, reference !== null);
  if (next === null) return state;
  const settled = isOpen(next) ? null : now;
  const reason = next === 'failed' ? (failure ?? 'other').slice(0, 100) : null;
  await tx`update payouts set ${tx({ state: next, settled, failure: reason })} where id = ${id}`;
  if (next === 'failed' || next === 'cancelled') await postOwn(tx, 'payout', [await reversed(tx, id)], now);
  if (settled)
    await recordEvent(tx, {
      name: 'payout.settled',
      user_id,
      data: { payout_id: id, state: next, failure: reason },
    });
  return next;
}

/**
 * Applies what follows from what a provider does not say, or what the operator says: only while the payout is open, and what is
 * `gone` only while nobody found it again. What its provider said meanwhile goes first. Gives the state that it has now.
 */
export async function settleOpenPayout(
  tx: Db,
  id: string,
  outcome: PayoutOutcome,
  now: Date,
): Promise<PayoutState | null> {
  const [payout] = await tx<Array<{ state: PayoutState; gone_since: string | null }>>`
    select state, gone_since from payouts where id = ${id}::text for no key update`;
  if (!payout) return null;
  const is_found = outcome.failure === 'gone' && payout.gone_since === null;
  return isOpen(payout.state) && !is_found ? await settlePayout(tx, id, outcome, now) : payout.state;
}

/** The other way round of what took the money; the account may be that of somebody who is gone. */
async function reversed(tx: Db, id: string): Promise<OwnTransaction> {
  const entries = await tx<
    Array<{ account: OwnTransaction['entries'][number]['account']; amount_minor: number }>
  >`
    select e.account_id as account, -e.amount_minor as amount_minor
    from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.kind = 'payout' and t.reference = ${id} order by e.account_id`;
  return { reference: `returned:${id}`, currency: revenueCurrency, entries };
}
