import type { MessageKey } from '#content/messages.ts';
import type { CancelReason } from '#db/money/billing/cancel-reasons.ts';

/** How the reasons to cancel are called. */
export const cancelReasonNames: Record<CancelReason, MessageKey> = {
  price: 'buying.cancel_price',
  unused: 'buying.cancel_unused',
  missing: 'buying.cancel_missing',
  problems: 'buying.cancel_problems',
  elsewhere: 'buying.cancel_elsewhere',
  pause: 'buying.cancel_pause',
  other: 'buying.cancel_other',
};
