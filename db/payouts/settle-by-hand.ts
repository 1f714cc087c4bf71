import { Refused } from '../errors.ts';
import { recordEvent } from '../events/write.ts';
import { bookedOutcome } from './booked.ts';
import type { PayoutContext } from './payout-context.ts';
import type { PayoutOutcome, PayoutProvider } from './provider.ts';
import { isOpen, type PayoutState } from './rules.ts';
import { settleOpenPayout, settlePayout } from './settle.ts';

/** What the operator says of a payout, and why. */
export interface Decision {
  state: 'success' | 'failed';
  /** For the audit log, 1 to 500 characters. */
  reason: string;
  /** Also where its provider cannot be asked, or says that it is on its way: it may pay in the end. */
  is_sure: boolean;
}

interface Open {
  id: string;
  user_id: string;
  provider: PayoutProvider['name'];
  state: PayoutState;
  reference: string | null;
  created: string;
}

const invalid = (problem: string) => new Refused('invalid_input', { problem });

/**
 * Ends an open payout as the operator says: `failed` returns its money, `success` says that it arrived. Its provider is asked
 * first, and what it says is over is applied, whatever the operator says. Refuses `payout_not_found`, `payouts_unreachable`,
 * and `invalid_input` for a payout that is over, for another word of its provider, and for one that is or may be on its way.
 */
export async function settleByHand(
  context: PayoutContext,
  id: string,
  decision: Decision,
  now: Date,
): Promise<void> {
  const { sql } = context;
  const { state, reason, is_sure } = decision;
  if (reason.trim() === '' || reason.length > 500) throw invalid('Say why in 1 to 500 characters.');
  const [payout] = await sql<Open[]>`
    select id, user_id, provider, state, reference, created from payouts where id = ${id}`;
  if (!payout) throw new Refused('payout_not_found');
  if (!isOpen(payout.state)) throw invalid(`It is over: ${payout.state}.`);
  const said = await askProvider(context, payout, is_sure, now);
  if (said && said.state !== 'in-transit' && said.state !== 'gone') {
    const found = await sql.begin(async (tx) => await settlePayout(tx, id, said, now));
    if (found === state) return;
    throw invalid(`${payout.provider} says otherwise. It is now: ${found}.`);
  }
  if (said?.state === 'in-transit' && !is_sure)
    throw invalid(
      `It is or may be on its way at ${payout.provider}. Stop it there, then repeat with --sure: otherwise it may be paid twice.`,
    );
  await sql.begin(async (tx) => {
    const outcome: PayoutOutcome = { reference: null, state, failure: state === 'failed' ? 'other' : null };
    const found = await settleOpenPayout(tx, id, outcome, now);
    if (found !== state) throw invalid(`It is over: ${found}.`);
    await recordEvent(tx, {
      name: 'payout.decided',
      user_id: payout.user_id,
      data: { payout_id: id, state, reason: reason.trim() },
    });
  });
}

/** What the provider says, from its books where it knows nothing of the payout; null where it cannot be asked. */
async function askProvider(
  { providers }: PayoutContext,
  payout: Open,
  is_sure: boolean,
  now: Date,
): Promise<PayoutOutcome | null> {
  const { id, reference } = payout;
  const provider = providers.find(({ name }) => name === payout.provider);
  if (!provider) {
    if (is_sure) return null;
    throw invalid(`PAYOUTS has no ${payout.provider}, so it can’t be asked. Add it, or repeat with --sure.`);
  }
  try {
    const outcome = await provider.retrieve({ key: id, reference });
    // one without a reference may be known by its key only when it is sent again: its books tell
    const is_known = outcome.state !== 'gone' && outcome.reference !== null;
    if (is_known) return outcome;
    return (await bookedOutcome(provider, payout, now)) ?? outcome;
  } catch (error) {
    if (is_sure && error instanceof Refused && error.code === 'payouts_unreachable') return null;
    throw error;
  }
}
