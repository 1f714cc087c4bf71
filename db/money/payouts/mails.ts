import { type Mailing, queueMail } from '../../messages/mail/queue.ts';
import { notify } from '../../messages/notifications/write.ts';
import { ghostId } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { PayoutType } from './rules.ts';

interface Found {
  user_id: string;
  username: string;
  amount: number;
  method: PayoutType;
  address: string;
}

const transfers = '/dashboard/revenue/transfers';

async function payoutOf(db: Db, payout_id: string): Promise<Found | null> {
  const [row] = await db<Found[]>`
    select w.user_id, p.username, w.amount_minor as amount, w.method_type as method, w.address
    from payouts w join users p on p.id = w.user_id where w.id = ${payout_id} and w.user_id <> ${ghostId}`;
  return row ?? null;
}

/** Tells a creator that money of theirs was asked for: whoever took their account over can't take it unseen. */
export async function tellOfPayoutRequest(
  tx: Db,
  mailing: Mailing,
  payout_id: string,
  now: Date,
): Promise<void> {
  const payout = await payoutOf(tx, payout_id);
  if (!payout) return;
  const { user_id, ...data } = payout;
  const body = { payout_id, amount_minor: data.amount };
  await notify(tx, [user_id], { type: 'payout_requested', body });
  await queueMail(tx, mailing, {
    ...{ template: 'payout_requested', to: null, user_id, now },
    data: { ...data, link: transfers },
  });
}

/** Tells a creator what became of a withdrawal. */
export async function tellOfPayout(
  tx: Db,
  mailing: Mailing,
  { payout_id, state }: { payout_id: string; state: string },
  now: Date,
): Promise<void> {
  const payout = await payoutOf(tx, payout_id);
  if (!payout || (state !== 'success' && state !== 'failed' && state !== 'cancelled')) return;
  const { user_id, username, amount } = payout;
  await notify(tx, [user_id], { type: 'payout_settled', body: { payout_id, state } });
  await queueMail(tx, mailing, {
    ...{ template: 'payout_settled', to: null, user_id, now },
    data: { username, amount, state, link: transfers },
  });
}
