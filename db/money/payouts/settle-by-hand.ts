import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { type Actor, accountOf, whyNotProved } from '../../platform/people/rules.ts';
import { whyNotManageBilling } from '../billing/refunds/rules.ts';
import { reasonOf } from '../billing/staff-refunds/write.ts';
import { bookedOutcome } from './booked.ts';
import type { PayoutContext } from './payout-context.ts';
import type { PayoutOutcome, PayoutProvider } from './provider.ts';
import { isOpen, type PayoutState } from './rules.ts';
import { checkPayout } from './send.ts';
import { settleOpenPayout, settlePayout } from './settle.ts';

/** What staff say of a payout, and why. */
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

/**
 * Ends an open payout as staff say: `failed` returns its money, `success` says that it arrived. Its provider is asked
 * first, and what it says is over is applied, whatever they say. Refuses `admins_only`, `proof_required`,
 * `payout_not_found`, `payouts_unreachable`, `reason_required`, `payout_over`, `payout_decided_there` (its provider
 * knows better), and unless they are sure `payout_on_its_way` and `payout_service_unused`.
 */
export async function settleByHand(
  context: PayoutContext,
  actor: Actor,
  id: string,
  decision: Decision,
  now: Date,
): Promise<void> {
  assertAllowed(whyNotManageBilling(actor) ?? whyNotProved(actor, now));
  const { sql } = context;
  const { state, is_sure } = decision;
  const reason = reasonOf(decision.reason);
  const [payout] = await sql<Open[]>`
    select id, user_id, provider, state, reference, created from payouts where id = ${id}`;
  if (!payout) throw new Refused('payout_not_found');
  if (!isOpen(payout.state)) throw new Refused('payout_over');
  const said = await askProvider(context, payout, is_sure, now);
  if (said && said.state !== 'in-transit' && said.state !== 'gone') {
    const found = await sql.begin(async (tx) => await settlePayout(tx, id, said, now));
    if (found === state) return;
    throw new Refused('payout_decided_there');
  }
  if (said?.state === 'in-transit' && !is_sure) throw new Refused('payout_on_its_way');
  await sql.begin(async (tx) => {
    const outcome: PayoutOutcome = { reference: null, state, failure: state === 'failed' ? 'other' : null };
    const found = await settleOpenPayout(tx, id, outcome, now);
    if (found !== state) throw new Refused('payout_over');
    await recordEvent(tx, {
      name: 'payout.decided',
      actor_id: accountOf(actor),
      user_id: payout.user_id,
      data: { payout_id: id, state, reason },
    });
  });
}

/**
 * Asks the provider of an open payout now what became of it, and sends it if it never arrived there. Gives the state.
 * Refuses `admins_only`, `proof_required` and `payout_not_found`.
 */
export async function retryPayout(
  context: PayoutContext,
  actor: Actor,
  id: string,
  now: Date,
): Promise<PayoutState> {
  assertAllowed(whyNotManageBilling(actor) ?? whyNotProved(actor, now));
  const [payout] = await context.sql<
    Array<{ user_id: string }>
  >`select user_id from payouts where id = ${id}`;
  if (!payout) throw new Refused('payout_not_found');
  const about = { actor_id: accountOf(actor), user_id: payout.user_id, data: { payout_id: id } };
  await context.sql.begin((tx) => recordEvent(tx, { name: 'payout.retried', ...about }));
  return await checkPayout(context, id, now);
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
    throw new Refused('payout_service_unused');
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
