import type { Db } from '../sql.ts';

/**
 * What takes money: one interface for every processor. Calls carry a key, so that asking twice takes money once; what is
 * not decided at once is told later by a webhook, or found by asking (`look`). Numbers of cards never reach the record.
 */
export interface Payments {
  /** As it stands in charges and in the addresses of its webhooks. */
  name: string;
  /** Whether anything is sold here; nothing is while no processor is set up. */
  enabled: boolean;
  /** No money moves: people are told so before anything else. */
  test: boolean;
  /** Makes what a form held into something that can be charged again. Refuses `card_unknown`, `card_expired`. */
  method(card: Card, now: Date): Promise<Method>;
  /** Takes an amount; the same key gives the same answer and takes nothing more. */
  charge(ask: ChargeAsk): Promise<Outcome>;
  /** What became of a charge that was not decided at once. */
  look(intent_id: string, now: Date): Promise<Outcome>;
  /** Gives an amount back, once for each key. */
  refund(ask: { key: string; intent_id: string; amount_minor: number }): Promise<void>;
  /** Reads a webhook. Refuses `webhook_signature` (forged, altered) and `webhook_stale` (told long ago). */
  verify(db: Db, signature: string | null, body: string, now: Date): Promise<Told>;
}

/** What a form holds; only digits in `number`. */
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

export interface ChargeAsk {
  key: string;
  amount_minor: number;
  currency: string;
  reference: string;
  /** Nobody is there who could confirm it: a renewal. */
  unattended: boolean;
  now: Date;
}

export interface Outcome {
  /** Null when the processor was never asked. */
  intent_id: string | null;
  state: 'succeeded' | 'waiting' | 'failed';
  /** Why it failed: `declined`, `insufficient_funds`. */
  failure: string | null;
}

/** What a webhook told: `id` is the same when it is sent again. */
export interface Told {
  id: string;
  outcome: Outcome;
}
