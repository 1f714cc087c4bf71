import { Refused } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import { isTestProcessor } from './payments.ts';
import { maxMethods } from './rules.ts';

/**
 * Bounds for those who try out cards that are not theirs: by account and by card, so that neither many cards at one account nor
 * one card at many accounts is tried on and on.
 */
const day_ms = 24 * 3_600_000;
/** New cards of one account a day, those among them that were removed again: as many as it may have. */
const max_new_cards = maxMethods;
/** Accounts that add the same card a day. */
const max_accounts_of_card = 5;
/** Payments of one account that fail in a day, without renewals. */
const max_failed_payments = 10;

const since = (now: Date): Date => new Date(now.getTime() - day_ms);

/** Refuses `payment_tries_limit` when the account, or others with the same card, have added too many today. */
export async function assertMayAddCard(
  tx: Db,
  { user_id, processor, fingerprint }: { user_id: string; processor: string; fingerprint: string | null },
  now: Date,
): Promise<void> {
  if (isTestProcessor(processor)) return; // its cards are known to everybody, and are no money
  const [count] = await tx<[{ cards: number; accounts: number }]>`
    select count(*) filter (where user_id = ${user_id})::int as cards,
      count(distinct user_id) filter (where fingerprint = ${fingerprint} and user_id <> ${user_id})::int as accounts
    from payment_methods
    where created > ${since(now)} and (user_id = ${user_id} or fingerprint = ${fingerprint})`;
  if (count.cards >= max_new_cards || count.accounts >= max_accounts_of_card)
    throw new Refused('payment_tries_limit');
}

/** Refuses `payment_tries_limit` when too many payments of the account failed today. */
export async function assertMayTryPayment(tx: Db, user_id: string, now: Date): Promise<void> {
  const [count] = await tx<[{ failed: number }]>`
    select count(*)::int as failed from charges
    where user_id = ${user_id} and state = 'failed' and reason <> 'renewal' and created > ${since(now)}`;
  if (count.failed >= max_failed_payments) throw new Refused('payment_tries_limit');
}
