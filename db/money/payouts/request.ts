import { assertAllowed, Refused } from '../../platform/errors.ts';
import { recordEvent } from '../../platform/events/write.ts';
import { newId } from '../../platform/id.ts';
import type { Actor } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { postOwn } from '../billing/ledger.ts';
import { revenueCurrency } from '../billing/revenue/rules.ts';
import { addressOf, whyNotAddress } from './addresses.ts';
import { allowAddress, rememberDetails } from './details.ts';
import { limitTexts, type OfferedMethod, offeredMethod } from './methods.ts';
import type { WithdrawalContext } from './payout-context.ts';
import { withdrawalFactsOf } from './read.ts';
import {
  feeOf,
  feeRuleOf,
  type PayoutState,
  type PayoutType,
  reasonsAgainst,
  whyNotAmount,
} from './rules.ts';
import { sendPayout } from './send.ts';

/** What somebody wants to withdraw: `amount_minor` is what leaves the balance, the fee included. */
export interface WithdrawalInput {
  /** The caller's: the same request twice is one payout. */
  op_id: string;
  country: string;
  type: PayoutType;
  method_id: string;
  address: string;
  /** Whom the account belongs to, for bank transfers. */
  receiver: string;
  amount_minor: number;
}

type KnownPayout = Pick<WithdrawalInput, 'amount_minor' | 'method_id' | 'country' | 'address'> & {
  id: string;
  state: PayoutState;
  method_type: PayoutType;
};

/** Nobody else asks the provider for so long after a request: it may still be on its way. */
const first_check_ms = 120_000;

/**
 * Withdraws: one transaction takes the money from the balance, then the provider is called with the payout's id as its key.
 * What the provider did not answer is settled by a job. Gives the payout with its state. Refuses `payouts_off`,
 * `country_unknown`, `payout_method_unknown`, `payouts_unreachable`, `payout_amount…`, `payout_below_fee`,
 * `payout_receiver`, `proof_required` (the address is new), what `whyNotAddress` and `reasonsAgainst` say, and `operation_mismatch`. Source: screens §A.6 (Withdraw).
 */
export async function requestPayout(
  context: WithdrawalContext,
  actor: Actor,
  input: WithdrawalInput,
  now: Date,
): Promise<{ id: string; state: PayoutState }> {
  const { sql } = context;
  // who asks again is not told that nothing was withdrawn because the provider is gone now
  const before = await findRequested(sql, actor.user_id, input);
  if (before) return before;
  const method = await offeredMethod(context.providers, { ...input, id: input.method_id });
  const made = await sql.begin(async (tx) => await placePayout(tx, context, actor, input, method, now));
  return made.is_new ? { id: made.id, state: await sendPayout(context, made.id, now) } : made;
}

/**
 * The payout of an earlier request with this `op_id`, or null. Refuses `operation_mismatch` when that was of another amount,
 * by another method or to somebody else: nobody is told that money went where it did not.
 */
async function findRequested(
  db: Db,
  user_id: string,
  { op_id, amount_minor, method_id, type, country, address }: WithdrawalInput,
): Promise<{ id: string; state: PayoutState } | null> {
  const [known] = await db<KnownPayout[]>`
    select id, state, amount_minor, method_id, method_type, country, address
    from payouts where user_id = ${user_id} and op_id = ${op_id}`;
  if (!known) return null;
  const is_same =
    known.amount_minor === amount_minor &&
    known.method_id === method_id &&
    known.method_type === type &&
    known.country === country &&
    known.address === addressOf(type, address);
  if (!is_same) throw new Refused('operation_mismatch');
  return { id: known.id, state: known.state };
}

async function placePayout(
  tx: Db,
  { taxForms, mailing }: WithdrawalContext,
  actor: Actor,
  input: WithdrawalInput,
  method: OfferedMethod,
  now: Date,
): Promise<{ id: string; state: PayoutState; is_new: boolean }> {
  const { user_id, username } = actor;
  const { amount_minor, country, type, op_id } = input;
  const address = addressOf(type, input.address);
  const receiver = input.receiver.trim();
  // the deletion of an account takes a stronger lock; two requests of one person come one after the other
  await tx`select 1 from users where id = ${user_id} for no key update`;
  const known = await findRequested(tx, user_id, input);
  if (known) return { ...known, is_new: false };
  const limits = limitTexts(method, country);
  assertAllowed(whyNotAmount(method, country, amount_minor), limits);
  assertAllowed(whyNotAddress(type, address));
  await allowAddress(tx, mailing, actor, { type, address }, now);
  if (receiver.length > 100 || (type === 'bank' && receiver === '')) throw new Refused('payout_receiver');
  const account = `creator:${user_id}` as const;
  // nobody withdraws the same money in another browser
  await tx`select 1 from ledger_accounts where id = ${account} for no key update`;
  const reasons = reasonsAgainst(await withdrawalFactsOf(tx, taxForms, user_id, now), amount_minor);
  if (reasons[0]) throw new Refused(reasons[0], { reasons });
  const id = newId();
  const fee_minor = feeOf(feeRuleOf(method, country), amount_minor);
  const provider = method.provider.name;
  await tx`insert into payouts ${tx({
    ...{ id, user_id, op_id, provider, method_type: type, method_id: method.id, country, address },
    ...{ method_name: method.name.slice(0, 200), receiver: receiver || username, amount_minor, fee_minor },
    ...{ currency: method.currency, state: 'unknown', created: now },
    next_check: new Date(now.getTime() + first_check_ms),
  })}`;
  const entries = [
    { account, amount_minor },
    { account: `payout:${provider}` as const, amount_minor: fee_minor - amount_minor },
    ...(fee_minor === 0 ? [] : [{ account: 'platform:payout_fees' as const, amount_minor: -fee_minor }]),
  ];
  await postOwn(tx, 'payout', [{ reference: id, currency: revenueCurrency, entries }], now);
  await rememberDetails(tx, user_id, { country, type, address, receiver });
  await recordEvent(tx, {
    name: 'payout.requested',
    actor_id: user_id,
    user_id,
    data: { payout_id: id, amount_minor, provider },
  });
  return { id, state: 'unknown', is_new: true };
}
