import type { MessageKey } from '#content/keys.ts';
import { messageKeys, type Translate } from '#content/messages.ts';

const known: ReadonlySet<string> = new Set(messageKeys);

/** Why a payout failed, for staff: they are not told that the money is back in their balance. */
export function staffFailureText(t: Translate, failure: string): string {
  const key = `staff_payouts.failure_${failure}`;
  return t((known.has(key) ? key : 'staff_payouts.failure_other') as MessageKey);
}
