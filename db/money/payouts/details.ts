import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { assertAllowed, Refused } from '../../platform/errors.ts';
import { type Actor, hasScope, whyNotProved } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { addressOf, whyNotAddress } from './addresses.ts';
import type { PayoutType } from './rules.ts';

/** Where the money of a person went last. */
export interface PayoutDetails {
  country: string;
  /** The owner of the bank account; '' before the first transfer. */
  name: string;
  paypal_address: string | null;
  venmo_handle: string | null;
  delivery_email: string | null;
}

/** What a person typed last; null before the first withdrawal. */
export async function payoutDetailsOf(db: Db, user_id: string): Promise<PayoutDetails | null> {
  const [row] = await db<PayoutDetails[]>`
    select country, name, paypal_address, venmo_handle, delivery_email from payout_details where user_id = ${user_id}`;
  return row ?? null;
}

const columns = { paypal: 'paypal_address', venmo: 'venmo_handle', tremendous: 'delivery_email' } as const;

/** Whether money went to this address last. Bank accounts are not kept. */
const isKnownAddress = (details: PayoutDetails | null, type: PayoutType, address: string): boolean =>
  type !== 'bank' && details !== null && details[columns[type]] === address;

/** An address as the mail about it names it: of a bank account the last four characters. */
const shortAddress = (type: PayoutType, address: string): string =>
  type === 'bank' ? `…${address.slice(-4)}` : address;

/**
 * Asks for a proof of who the actor is before money goes to another address than the last one, and tells them by mail. Refuses
 * `proof_required`.
 */
export async function allowAddress(
  tx: Db,
  mailing: Mailing,
  actor: Actor,
  { type, address }: { type: PayoutType; address: string },
  now: Date,
): Promise<void> {
  const { user_id, username } = actor;
  if (isKnownAddress(await payoutDetailsOf(tx, user_id), type, address)) return;
  assertAllowed(whyNotProved(actor, now));
  const data = { username, method: type, address: shortAddress(type, address) };
  await queueMail(tx, mailing, { template: 'payout_address', to: null, user_id, data, now });
}

/** Keeps where money went, for the next time. Numbers of bank accounts are asked for each time. */
export async function rememberDetails(
  tx: Db,
  user_id: string,
  given: { country: string; type: PayoutType; address: string; receiver: string },
): Promise<void> {
  const { country, type, address, receiver } = given;
  const changed = {
    country,
    ...(type === 'bank' ? { name: receiver } : { [columns[type]]: address }),
  };
  await tx`
    insert into payout_details ${tx({ user_id, ...changed })} on conflict (user_id) do update set ${tx(changed)}`;
}

/**
 * Sets where Venmo pays a person, who alone may do so; null forgets it. Refuses `not_yours`, `scope_missing`,
 * `venmo_handle_malformed`, and `proof_required` for another one. Source: api-v3 §3.7 (PATCH /user, `venmo_handle`).
 */
export async function setVenmoHandle(
  tx: Db,
  mailing: Mailing,
  actor: Actor,
  { user_id, typed }: { user_id: string; typed: string | null },
  now: Date,
): Promise<void> {
  if (actor.user_id !== user_id) throw new Refused('not_yours');
  if (!hasScope(actor, 'PAYOUTS_WRITE')) throw new Refused('scope_missing', { scope: 'PAYOUTS_WRITE' });
  const venmo_handle = typed === null ? null : addressOf('venmo', typed);
  if (venmo_handle !== null) {
    assertAllowed(whyNotAddress('venmo', venmo_handle));
    await allowAddress(tx, mailing, actor, { type: 'venmo', address: venmo_handle }, now);
  }
  await tx`
    insert into payout_details ${tx({ user_id, country: 'US', venmo_handle })}
    on conflict (user_id) do update set venmo_handle = excluded.venmo_handle`;
}
