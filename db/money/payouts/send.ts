import { Refused } from '../../platform/errors.ts';
import type { Actor } from '../../platform/people/rules.ts';
import { bookedOutcome } from './booked.ts';
import type { PayoutContext } from './payout-context.ts';
import type { PayoutOutcome, PayoutProvider } from './provider.ts';
import { isOpen, maxTransitDays, type PayoutState } from './rules.ts';
import { settleOpenPayout, settlePayout } from './settle.ts';

const day_ms = 86_400_000;

/** How long until the provider is asked again: minutes at first, then six hours. */
const pauses_minutes = [2, 5, 15, 60, 360];

interface Sendable {
  id: string;
  user_id: string;
  provider: PayoutProvider['name'];
  method_id: string;
  country: string;
  address: string;
  receiver: string;
  currency: string | null;
  reference: string | null;
  state: PayoutState;
  net_minor: number;
  created: string;
  gone_since: string | null;
}

/**
 * Sends a payout that its provider does not have yet, outside of transactions, and applies the answer. May be called again:
 * the provider knows the key. Without an answer it stays `unknown`, for the job. Gives the state.
 */
export async function sendPayout(context: PayoutContext, id: string, now: Date): Promise<PayoutState> {
  const payout = await sendable(context, id);
  if (payout.state !== 'unknown') return payout.state;
  const provider = context.providers.find(({ name }) => name === payout.provider);
  if (!provider) return payout.state;
  return await answered(context, payout, now, async () => {
    const { user_id, country, address } = payout;
    return await provider.send({
      ...{
        key: id,
        method_id: payout.method_id,
        amount_minor: payout.net_minor,
        currency: payout.currency,
        now,
      },
      receiver: { user_id, name: payout.receiver, country, address },
    });
  });
}

/**
 * Asks the provider of an open payout what became of it. One that it never got is sent; one that was canceled is canceled
 * again; one that is on its way for 30 days is canceled there and fails, and so does one that the provider knew and knows
 * nothing of for 30 days, unless its books have it. Gives the state.
 */
export async function checkPayout(context: PayoutContext, id: string, now: Date): Promise<PayoutState> {
  const payout = await sendable(context, id);
  const provider = context.providers.find(({ name }) => name === payout.provider);
  if (!provider || !isOpen(payout.state)) return payout.state;
  const { reference } = payout;
  const heard: PayoutOutcome[] = [];
  const state = await answered(context, payout, now, async () => {
    const outcome = await provider.retrieve({ key: id, reference });
    heard.push(outcome);
    return outcome;
  });
  const [outcome] = heard;
  if (!outcome || !isOpen(state)) return state;
  const is_late = isLate(payout.created, now);
  if (outcome.state === 'gone')
    return isLate(payout.gone_since, now) ? await endUnfound(context, payout, provider, now, 'gone') : state;
  if (state === 'unknown' && outcome.reference === null && reference === null)
    return is_late
      ? await endUnfound(context, payout, provider, now, 'other')
      : await sendPayout(context, id, now);
  if (is_late && state !== 'unknown') return await expire(context, { ...payout, state }, provider, now);
  return state === 'cancelling' ? await cancelAtProvider(context, payout, provider, now) : state;
}

const isLate = (since: string | null, now: Date): boolean =>
  since !== null && now.getTime() - Date.parse(since) >= maxTransitDays * day_ms;

/**
 * Cancels a payout on its way: it is `cancelling` until the provider says what became of it. Refuses `payout_not_found`,
 * `payout_not_in_transit`, `payout_not_cancellable`. Source: screens §A.6 (Transfers).
 */
export async function cancelPayout(
  context: PayoutContext,
  { user_id }: Actor,
  id: string,
  now: Date,
): Promise<PayoutState> {
  const { sql, providers } = context;
  const [own] = await sql<Array<{ provider: string; state: PayoutState }>>`
    select provider, state from payouts where id = ${id} and user_id = ${user_id}`;
  if (!own) throw new Refused('payout_not_found');
  const provider = providers.find(({ name }) => name === own.provider);
  if (own.state !== 'cancelling') {
    if (own.state !== 'in-transit') throw new Refused('payout_not_in_transit');
    if (!provider?.cancel) throw new Refused('payout_not_cancellable');
    const taken = await sql`
      update payouts set state = 'cancelling', next_check = ${now} where id = ${id} and state = 'in-transit'`;
    if (taken.count === 0) throw new Refused('payout_not_in_transit');
  }
  if (!provider) return own.state;
  return await cancelAtProvider(context, await sendable(context, id), provider, now);
}

const cancelAtProvider = async (
  context: PayoutContext,
  payout: Sendable,
  { cancel }: PayoutProvider,
  now: Date,
): Promise<PayoutState> =>
  await answered(
    context,
    payout,
    now,
    async () => (await cancel?.({ key: payout.id, reference: payout.reference })) ?? stillOpen(payout),
  );

/**
 * Canceled at the provider first, where it can be: what it may still pay must not return to the balance. It fails, or is
 * canceled where somebody canceled it.
 */
async function expire(
  context: PayoutContext,
  payout: Sendable,
  { cancel }: PayoutProvider,
  now: Date,
): Promise<PayoutState> {
  const { id, provider, state: before } = payout;
  const state = await answered(context, payout, now, async () => {
    const ended: PayoutOutcome = { reference: null, state: 'failed', failure: 'unclaimed' };
    const outcome = cancel ? await cancel({ key: id, reference: payout.reference }) : ended;
    return outcome.state === 'cancelled' && before !== 'cancelling' ? ended : outcome;
  });
  if (isOpen(state))
    context.log.warn(
      { payout_id: id, provider },
      'A payout is on its way for more than 30 days, and its provider did not cancel it',
    );
  return state;
}

/** Ends a payout that its provider knows nothing of, as its books say; it fails when they have nothing, and they could be read. */
async function endUnfound(
  context: PayoutContext,
  payout: Sendable,
  provider: PayoutProvider,
  now: Date,
  failure: 'gone' | 'other',
): Promise<PayoutState> {
  const { id, reference } = payout;
  const lost: PayoutOutcome = { reference: null, state: 'failed', failure };
  const state = await answered(
    context,
    payout,
    now,
    async () => (await bookedOutcome(provider, payout, now)) ?? lost,
    settleOpenPayout,
  );
  const told = { payout_id: id, provider: provider.name, reference };
  if (state === 'failed')
    context.log.error(told, 'A payout failed that its provider knows nothing of: its money returned');
  else if (isOpen(state))
    context.log.error(told, 'A payout cannot be ended: its provider knows nothing of it, but its books may');
  return state;
}

const stillOpen = ({ reference }: Sendable): PayoutOutcome => ({
  reference,
  state: 'in-transit',
  failure: null,
});

/** Applies what the provider answers; a provider that cannot be reached changes nothing. */
async function answered(
  { sql, log }: PayoutContext,
  { id, provider, state, reference, gone_since }: Sendable,
  now: Date,
  ask: () => Promise<PayoutOutcome>,
  apply = settlePayout,
): Promise<PayoutState> {
  let outcome: PayoutOutcome;
  try {
    outcome = await ask();
  } catch (err) {
    log.warn({ err, payout_id: id, provider }, 'A provider of payouts gave no answer');
    return state;
  }
  if (outcome.state === 'gone' && gone_since === null)
    log.error(
      { payout_id: id, provider, reference },
      'A provider knows nothing of a payout that it took: it fails in 30 days unless `cairn payouts settle` says otherwise',
    );
  return (await sql.begin(async (tx) => await apply(tx, id, outcome, now))) ?? state;
}

async function sendable({ sql }: PayoutContext, id: string): Promise<Sendable> {
  const [row] = await sql<Sendable[]>`
    select id, user_id, provider, method_id, country, address, receiver, currency, reference, state,
      amount_minor - fee_minor as net_minor, created, gone_since
    from payouts where id = ${id}`;
  if (!row) throw new Refused('payout_not_found');
  return row;
}

/**
 * The ids of open payouts whose provider is to be asked now, the longest waiting first, at most `limit`; their next turn is
 * noted, later each time.
 */
export async function duePayouts(
  { sql }: Pick<PayoutContext, 'sql'>,
  now: Date,
  limit: number,
): Promise<string[]> {
  const rows = await sql<Array<{ id: string }>>`
    update payouts set checks = checks + 1,
      next_check = ${now}::timestamptz
        + make_interval(mins => (${pauses_minutes}::int[])[least(checks + 1, ${pauses_minutes.length}::int)])
    where id = any(array(
      select id from payouts where settled is null and next_check <= ${now}
      order by next_check limit ${limit} for update skip locked
    )) returning id`;
  return rows.map(({ id }) => id);
}
