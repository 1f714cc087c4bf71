import type { WantedPlan } from '#db/money/billing/plan-change/rules.ts';
import type { PlusOrder } from '#db/money/billing/plus-orders/write.ts';
import type { NewIncome } from '#db/money/billing/revenue/rules.ts';
import type { RefundInput } from '#db/money/billing/staff-refunds/write.ts';
import type { OrderInput } from '#db/money/billing/write.ts';
import type { WithdrawalInput } from '#db/money/payouts/request.ts';
import type { Actor } from '#db/platform/people/rules.ts';

/** Where a worker finds the database and Stripe. */
export interface Place {
  address: string;
  database: string;
  stripe: string;
  paypal: string;
}

/** What a worker is told to do. */
export type Command =
  | { do: 'card'; actor: Actor }
  | { do: 'order'; actor: Actor; input: OrderInput; card: string }
  | { do: 'plus'; actor: Actor; order: PlusOrder; card: string }
  | { do: 'cancel_plus'; actor: Actor }
  | { do: 'renew_plus'; actor: Actor; card: string | null }
  | { do: 'switch_plus'; actor: Actor; interval: string }
  | { do: 'change'; actor: Actor; wanted: WantedPlan & { server_id: string; op_id: string } }
  | { do: 'cancel'; actor: Actor; server_id: string }
  | { do: 'resubscribe'; actor: Actor; server_id: string; card: string | null }
  | { do: 'refund'; actor: Actor; input: RefundInput }
  | { do: 'webhook'; body: string; signature: string }
  | { do: 'payout_webhook'; body: string; headers: Record<string, string> }
  | { do: 'tax_form'; actor: Actor }
  | { do: 'withdraw'; actor: Actor; input: WithdrawalInput }
  | { do: 'cancel_payout'; actor: Actor; id: string }
  | { do: 'delete_person'; actor: Actor }
  | { do: 'income'; input: NewIncome & { reference: string; note: string } }
  | { do: 'jobs' };

/** A command with the time it happens at, and the prices of that day: so many percent of those of the tables. */
export interface Message {
  now: string;
  price_percent: number;
  command: Command;
}

/** What became of it; `code` is the refusal. */
export type Answer = { ok: true; result: unknown } | { ok: false; code: string };
