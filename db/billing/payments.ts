/**
 * A payment processor: one interface for all. Calls carry an idempotency key, so that a repeated call charges once; an
 * outcome that is not known at once comes later by a webhook, or is retrieved (`look`). Card numbers are never stored.
 */
export interface Payments {
  /** As stored with charges and used in the addresses of its webhooks. */
  name: string;
  /** Whether anything is sold here; nothing is while no processor is set up. */
  enabled: boolean;
  /** No money moves: pages say so before anything else. */
  test: boolean;
  /** Name of the row in `secrets` whose key signs its webhooks; null for a processor without webhooks. */
  webhook_secret: string | null;
  /** Turns a card into a payment method that can be charged again. Refuses `card_unknown`, `card_expired`. */
  tokenizeCard(card: Card, now: Date): Promise<Method>;
  /** Charges an amount; the same key gives the same outcome and charges nothing more. */
  charge(ask: ChargeRequest): Promise<Outcome>;
  /** Retrieves the outcome of a charge that was not decided at once. */
  retrieve(intent_id: string, now: Date): Promise<Outcome>;
  /** Refunds an amount, once for each key. */
  refund(ask: { key: string; intent_id: string; amount_minor: number }): Promise<void>;
  /** Reads a webhook that was signed with `secret`. Refuses `webhook_signature` (forged, altered), `webhook_stale` (old). */
  verify(secret: string, signature: string | null, body: string, now: Date): Promise<WebhookEvent>;
}

/** A card as a form sends it; only digits in `number`. */
export interface Card {
  number: string;
  expires_month: number;
  expires_year: number;
}

export interface Method {
  reference: string;
  brand: string;
  last_four: string;
  expires_month: number;
  expires_year: number;
}

export interface ChargeRequest {
  key: string;
  amount_minor: number;
  currency: string;
  reference: string;
  /** A renewal: no customer is present to confirm it. */
  unattended: boolean;
  now: Date;
}

export interface Outcome {
  /** Null when the processor was never called. */
  intent_id: string | null;
  state: 'succeeded' | 'waiting' | 'failed';
  /** Why it failed: `declined`, `insufficient_funds`. */
  failure: string | null;
}

/** The event of a webhook; `id` is the same when it is sent again. */
interface WebhookEvent {
  id: string;
  outcome: Outcome;
}
