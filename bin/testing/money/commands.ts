import type { WantedPlan } from '#db/billing/plan-change/rules.ts';
import type { PlusOrder } from '#db/billing/plus/write.ts';
import type { NewIncome } from '#db/billing/revenue/rules.ts';
import type { OrderInput } from '#db/billing/write.ts';
import type { WithdrawalInput } from '#db/payouts/request.ts';
import type { Actor } from '#db/people/rules.ts';

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
  | { do: 'change'; actor: Actor; wanted: WantedPlan & { server_id: string; op_id: string } }
  | { do: 'cancel'; actor: Actor; server_id: string }
  | { do: 'resubscribe'; actor: Actor; server_id: string; card: string | null }
  | { do: 'webhook'; body: string; signature: string }
  | { do: 'withdraw'; actor: Actor; input: WithdrawalInput }
  | { do: 'cancel_payout'; actor: Actor; id: string }
  | { do: 'income'; input: NewIncome & { reference: string; note: string } }
  | { do: 'jobs' };

/** What became of it; `code` is the refusal. */
export type Answer = { ok: true; result: unknown } | { ok: false; code: string };
