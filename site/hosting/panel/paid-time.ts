import type { SubscriptionState, Term } from '#db/money/billing/rules.ts';

/** What is paid for a server. */
export interface PaidTime {
  state: SubscriptionState;
  term: Term;
  /** The day the paid period ends, localized. */
  until: string | null;
  /** Days until then, the one that has begun included; null when there is no end. */
  days_left: number | null;
  /** A renewal that failed: what is due, when the server stops without it, and the card that was declined, localized. */
  unpaid: { sum: string; stops: string; card: string | null } | null;
}
