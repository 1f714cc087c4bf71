/** Where no money moves: the provider of demo installations, and sandboxes of real ones. */
export const testProviders = ['test', 'paypal_test', 'tremendous_test'] as const;

/**
 * A provider that pays creators: one interface for all. A payout has an id of ours, which is the idempotency key at the
 * provider: a repeated call pays once. What became of it comes later by a webhook, or is retrieved. Amounts are minor
 * units of US dollars; what the receiver gets in another currency is the provider's matter.
 */
export interface PayoutProvider {
  /** As stored with payouts; a sandbox has another name than the real thing, so that the two never mix. */
  name: 'paypal' | 'tremendous' | 'bank' | (typeof testProviders)[number];
  /** No money moves: pages say so before anything else. */
  test: boolean;
  /** What it offers to people of a country (ISO 3166-1 alpha-2 in capitals), at most 500. Refuses `payouts_unreachable`. */
  methods(country: string): Promise<PayoutMethod[]>;
  /** Sends money; the same key gives the same outcome and sends nothing more. */
  send(ask: PayoutRequest): Promise<PayoutOutcome>;
  /** Retrieves what became of a payout by our key and, where it is known, the provider's reference. */
  retrieve(ask: { key: string; reference: string | null }): Promise<PayoutOutcome>;
  /** Cancels a payout that is on its way: gives what it is then, which may be `success`. Null where nothing can be canceled. */
  cancel: ((ask: { key: string; reference: string | null }) => Promise<PayoutOutcome>) | null;
  /** Reads a webhook from its headers (names in lower case) and body; null for a provider without webhooks. Refuses `webhook_signature`, `webhook_stale`. */
  verify: ((headers: Record<string, string>, body: string, now: Date) => Promise<PayoutEvent>) | null;
  /** What the provider knows of payouts made from `from` until `until`, for reconciliation; a page at a time. */
  list(range: { from: Date; until: Date }): AsyncIterable<PayoutRecord>;
}

/** A way to be paid. */
export interface PayoutMethod {
  /** Unique in its provider: `paypal`, `venmo`, the id of a product, `iban`. */
  id: string;
  type: 'paypal' | 'venmo' | 'tremendous' | 'bank';
  name: string;
  category: 'paypal' | 'bank' | 'gift_card' | 'prepaid' | 'charity' | 'other';
  image_url: string | null;
  logo_url: string | null;
  /** What the provider sends, after our fee: a range or some amounts, in minor units of US dollars. */
  interval: { min_minor: number; max_minor: number } | { values_minor: number[] };
  /** The currency that the receiver gets, and how many of it are one dollar; null for dollars. */
  currency: string | null;
  exchange_rate: number | null;
}

export interface PayoutRequest {
  key: string;
  /** The method by its id, and where the money goes: an address, a handle, an account. */
  method_id: string;
  receiver: Receiver;
  /** What the provider is to send: after our fee. */
  amount_minor: number;
  currency: string | null;
  now: Date;
}

/** Who gets the money. */
interface Receiver {
  user_id: string;
  name: string;
  country: string;
  /** An e-mail address (`paypal`, `tremendous`), a handle with `@` (`venmo`), an IBAN (`bank`). */
  address: string;
}

/** What a provider says of a payout that it knows. */
export type ProviderState = 'in-transit' | 'success' | 'cancelled' | 'failed';

export interface PayoutOutcome {
  /** Null while the provider was never reached or gave no answer. */
  reference: string | null;
  /** `gone`: the provider knows nothing of a payout that it gave a reference for. */
  state: ProviderState | 'gone';
  /** Why it failed: `receiver_unknown`, `receiver_refuses`, `funds`, `unclaimed`, `returned`, `trial`, `other`. */
  failure: string | null;
}

/** An event of a webhook; `id` is the same when it is sent again. `key` is null for events that concern no payout. */
export interface PayoutEvent {
  id: string;
  key: string | null;
  outcome: PayoutOutcome | null;
}

/** A payout as the provider has it. */
export interface PayoutRecord {
  key: string | null;
  reference: string;
  amount_minor: number;
  state: ProviderState;
}
