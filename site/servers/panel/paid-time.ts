import { deletionCost, type SubscriptionState, type Term } from '#db/billing/rules.ts';
import type { ServerView } from '#db/servers/view.ts';
import type { PageMessages } from '../../text/MessagesContext.tsx';

/** What is paid for a server. */
export interface PaidTime {
  state: SubscriptionState;
  term: Term;
  /** The day the paid period ends, localized. */
  until: string | null;
  /** Days until then, the one that has begun included; null when there is no end. */
  days_left: number | null;
}

/** What becomes of the money when a server is deleted, in a sentence; null when there is nothing to say. */
export function deletionCostText(
  { t }: Pick<PageMessages, 't'>,
  server: ServerView,
  paid: PaidTime | null,
): string | null {
  const cost = deletionCost(paid && { ...paid, placed: server.address !== null });
  if (cost === 'free') return null;
  return t(`servers.delete_${cost}`, { date: paid?.until ?? '' });
}
