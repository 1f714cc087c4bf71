import type { Db } from '../../platform/postgres/sql.ts';
import type { CancelAnswer } from './cancel-reasons.ts';

/** Keeps with a subscription that its caller cancels in this transaction why that was. */
export async function keepCancelAnswer(
  tx: Db,
  subscription_id: string,
  { cancel_reason, cancel_note }: CancelAnswer,
): Promise<void> {
  await tx`update subscriptions set ${tx({ cancel_reason, cancel_note })} where id = ${subscription_id}`;
}
