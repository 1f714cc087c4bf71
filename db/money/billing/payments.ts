/**
 * A payment processor: one interface for all. Calls carry an idempotency key, so that a repeated call charges once; an
 * outcome that is not known at once comes later by a webhook, or is retrieved. Card numbers are never stored.
 */
export interface Payments {
  /** As stored with charges and used in the addresses of its webhooks. */
  name: string;
  /** Whether anything is sold here; nothing is while no processor is set up. */
  enabled: boolean;
  /** No money moves: pages say so before anything else. */
  test: boolean;
  /** How its webhooks are signed; null for a processor without webhooks. */
  webhook: {
    /** The header with the signature. */
    header: string;
    /** The key it signs with: one the operator was given, or the row of `secrets` that has it. */
    key: { given: string } | { stored: string };
  } | null;
  /** Gives the id of a new customer, once for each user; null for a processor without customers. */
  openCustomer: ((user_id: string) => Promise<string>) | null;
  /**
   * Begins a payment method that a browser enters at the processor itself: gives the client secret for it. Null for a
   * processor whose methods are cards of a form. Refuses `payments_unreachable`.
   */
  beginMethod: ((customer: string) => Promise<string>) | null;
  /**
   * The payment method that a form named, as it can be charged again. Refuses `card_required`, `card_unknown`,
   * `card_expired`, `method_unconfirmed` (of somebody else, too), `payments_unreachable`.
   */
  resolveMethod(given: NewMethod, customer: string | null, now: Date): Promise<Method>;
  /** Forgets a payment method, also one that it forgot already; null for a processor that keeps none. Refuses `payments_unreachable`. */
  forgetMethod: ((reference: string) => Promise<void>) | null;
  /** Charges an amount; the same key gives the same outcome and charges nothing more. */
  charge(ask: ChargeRequest): Promise<Outcome>;
  /** Retrieves the outcome of a charge that was not decided at once. */
  retrieve(intent_id: string, now: Date): Promise<Outcome>;
  /**
   * Lets another method pay what still waits, in the place of the one before: at most one of the two ever pays. Gives the
   * intent whose outcome says what became of it; null when it did not wait any more. Refuses `payments_unreachable`.
   */
  payInstead(ask: { intent_id: string; reference: string; now: Date }): Promise<string | null>;
  /** Takes back what still waits. Gives the intent whose outcome says whether it was. Refuses `payments_unreachable`. */
  cancel(intent_id: string, now: Date): Promise<string>;
  /**
   * What the processor keeps of a payment, null while it does not say so yet; null for a processor without fees. Refuses
   * `payments_unreachable`.
   */
  feeOf: ((intent_id: string) => Promise<Money | null>) | null;
  /** Refunds an amount, once for each key. */
  refund(ask: RefundRequest): Promise<void>;
  /** Forgets a customer whose account is gone, also one that it forgot already; null for a processor without customers. Refuses `payments_unreachable`. */
  forgetCustomer: ((customer: string) => Promise<void>) | null;
  /** What moved money there between two times, in any order; null for a processor that keeps no books. Refuses `payments_unreachable`. */
  list: ((from: Date, until: Date) => AsyncIterable<ListedMoney>) | null;
  /** Reads a webhook that was signed with `secret`. Refuses `webhook_signature` (forged, altered), `webhook_stale` (old). */
  verify(secret: string, signature: string | null, body: string, now: Date): Promise<WebhookEvent>;
}

/** Whether no money moves at the processor with this name, that of today or one that was configured before. */
export const isTestProcessor = (name: string): boolean => name === 'test' || name.endsWith('_test');

/** An amount in minor units of its currency. */
export interface Money {
  amount_minor: number;
  currency: string;
}

/** A card as a form of the sandbox sends it; only digits in `number`. */
export interface Card {
  number: string;
  expires_month: number;
  expires_year: number;
}

/** How a form names a payment method: a card of the sandbox, or the id of what a browser confirmed at the processor. */
export type NewMethod = Card | { confirmed: string };
/** The same, or one that is stored already, by its id. */
export type GivenMethod = NewMethod | { stored: string };

export interface Method {
  reference: string;
  brand: string;
  last_four: string;
  expires_month: number;
  expires_year: number;
  /** The same for a card that is entered again, also with another date; null where its processor names none. */
  fingerprint: string | null;
}

export interface ChargeRequest {
  key: string;
  amount_minor: number;
  currency: string;
  /** The payment method, and the customer who has it. */
  reference: string;
  customer: string | null;
  /** A renewal: no customer is present to confirm it. */
  unattended: boolean;
  /** When the charge was opened, and whether it was sent before: then it may have taken money. */
  opened: Date;
  again: boolean;
  now: Date;
}

export interface RefundRequest {
  key: string;
  intent_id: string;
  amount_minor: number;
  currency: string;
}

/** Money that moved at a processor: a payment of a charge, a refund, or a fee. */
export interface ListedMoney extends Money {
  kind: 'payment' | 'refund' | 'fee';
  /** The intent; of a fee that was not taken for a payment, what it was taken for. */
  intent_id: string;
  /** The key that it was asked with; null for what was done at the processor itself. */
  key: string | null;
}

export interface Outcome {
  /** Null when the processor was never called, or gave no answer. */
  intent_id: string | null;
  state: 'succeeded' | 'waiting' | 'failed';
  /** Why it failed: `declined`, `insufficient_funds`, `authentication_required`. */
  failure: string | null;
  /** A client secret with which the payer's browser confirms a waiting payment; never stored. */
  confirm?: string;
  /** The processor gave no answer: what becomes of the charge is not known yet. */
  unanswered?: true;
}

/** The event of a webhook; `id` is the same when it is sent again. An event about neither is only noted. */
export interface WebhookEvent {
  id: string;
  /** The charge of the outcome where the processor names it, else it is found by its intent. */
  charge_id: string | null;
  outcome: Outcome | null;
  dispute: Dispute | null;
  /** What the processor keeps of a payment. */
  fee: (Money & { intent_id: string }) | null;
}

/** A payer disputes a payment with the bank. */
export interface Dispute {
  id: string;
  intent_id: string;
  state: 'open' | 'won' | 'lost';
  amount_minor: number;
  /** Whether the bank has taken the money, and whether it was given back since. */
  withdrawn: boolean;
  returned: boolean;
  /** Fees that were taken with the money, and with its return, where a negative one was given back. */
  fees: { withdrawn: Money | null; returned: Money | null };
}
