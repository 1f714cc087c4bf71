import type {
  ChargeReason,
  ChargeState,
  Currency,
  GraceReason,
  OrderProgress,
  Plan,
  Region,
  SubscriptionState,
  Term,
} from './rules.ts';

/** Orders and subscriptions as their owners see them. */

/** An order without a server, as its buyer sees it. */
export interface OrderView {
  server_id: string;
  /** Name of the server. */
  name: string;
  state: OrderProgress;
  plan: Plan;
  ram_mb: number;
  region: Region;
  term: Term;
  currency: Currency;
  game_version: string;
  loader: string | null;
  /** Of the period that is paid, or to be paid. */
  period_end: string;
}

/** A subscription as its owner sees it. */
export interface SubscriptionView {
  server_id: string;
  /** Name of the server. */
  name: string;
  state: SubscriptionState;
  term: Term;
  currency: Currency;
  price_minor: number;
  plan: Plan;
  ram_mb: number;
  period_end: string | null;
  grace_reason: GraceReason | null;
  grace_until: string | null;
  next_attempt: string | null;
  /** Why its newest payment failed; null when it did not. */
  failure: string | null;
  /** Whether its server is on a node; cancelling one that is not ends it at once with a refund. */
  placed: boolean;
  /** The payment card; null for a trial. */
  card: { brand: string; last_four: string } | null;
  /** A change of plan that is being paid, waits for the next period, or for its server. */
  change: {
    state: 'paying' | 'scheduled' | 'paid';
    plan: Plan;
    ram_mb: number;
    term: Term;
    price_minor: number;
  } | null;
}

/** A payment method as its owner sees it. */
export interface MethodView {
  id: string;
  brand: string;
  last_four: string;
  expires_month: number;
  expires_year: number;
  /** Offered first; once chosen by its owner it pays for everything, but not for what is bought later with another card. */
  is_primary: boolean;
  /** The newest payment with it failed. */
  declined: boolean;
  /** The servers it pays for, by name; null for Plus. */
  pays_for: Array<{ server_id: string | null; name: string | null }>;
}

/** What somebody paid in a month (UTC), less what came back, in one currency. */
export interface PaidMonth {
  year: number;
  month: number;
  currency: Currency;
  amount_minor: number;
}

/** A charge of a subscription as its owner sees it: what was asked for, and what became of it. */
export interface PaymentView {
  id: string;
  reason: ChargeReason;
  state: ChargeState;
  amount_minor: number;
  /** What was given back of it. */
  given_minor: number;
  currency: Currency;
  period_start: string;
  period_end: string;
  created: string;
  /** The payer disputes it with the bank, or did. */
  dispute: 'open' | 'won' | 'lost' | null;
  /** What was bought: plan and size, null for Plus, and its interval. */
  plan: Plan | null;
  ram_mb: number | null;
  term: Term;
  /** The server it pays for; null for Plus. */
  server_id: string | null;
  name: string | null;
  card: { brand: string; last_four: string } | null;
}
