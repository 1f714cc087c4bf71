import type { Random } from '#db/demo/art/random.ts';
import type { PaypalEvent } from '#db/testing/paypal/account.ts';
import type { PaypalSimulator } from '#db/testing/paypal/simulator.ts';
import type { StripeEvent } from '#db/testing/stripe/account.ts';
import type { StripeSimulator } from '#db/testing/stripe/simulator.ts';
import type { Command } from './commands.ts';

/** Stripe and PayPal, and what people and banks do there. */
export class Outside {
  readonly stripe: StripeSimulator;
  readonly paypal: PaypalSimulator;
  readonly #random: Random;
  readonly #seen = { stripe: 0, paypal: 0 };
  readonly #late: { stripe: StripeEvent[]; paypal: PaypalEvent[] } = { stripe: [], paypal: [] };
  readonly faults: Record<string, number> = {};

  constructor(stripe: StripeSimulator, paypal: PaypalSimulator, random: Random) {
    this.stripe = stripe;
    this.paypal = paypal;
    this.#random = random;
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  /** A day begins: something may go wrong with its payments. Stripe keeps its idempotency keys for a day. */
  wake(): void {
    const { pick } = this.#random;
    const { stripe, paypal } = this;
    const note = (fault: string) => {
      this.faults[fault] = (this.faults[fault] ?? 0) + 1;
    };
    stripe.forget();
    stripe.down = false;
    paypal.down = false;
    if (this.#chance(0.4)) {
      const fault = pick([
        '500_before',
        '500_after',
        'hang',
        'hang_after',
        'garbage',
        'vanish',
        'vanish',
      ] as const);
      // its adapter tries twice at once
      paypal.faults.push(fault, ...(this.#chance(0.5) ? [fault] : []));
      note(`paypal ${fault}`);
    }
    if (this.#chance(0.3)) {
      const fault = pick(['500_before', '500_after', 'hang', 'hang_after', 'vanish', 'vanish'] as const);
      stripe.faults.push(fault);
      note(`stripe ${fault}`);
    }
  }

  /** The day ends: what is still to go wrong does not. */
  sleep(): void {
    this.stripe.faults.length = 0;
    this.paypal.faults.length = 0;
  }

  /** Payers agree with their bank or do not, dispute, and banks decide; money that was paid out is claimed or comes back. */
  act(): void {
    const { account } = this.stripe;
    for (const intent of account.intents.values())
      if (intent.status === 'requires_action' && this.#chance(0.5))
        account.authenticate(intent.client_secret, this.#chance(0.7));
    const paid = [...account.intents.values()].filter(({ status }) => status === 'succeeded');
    const known = new Set([...account.disputes.values()].map((one) => one.payment_intent));
    const one = paid.length > 0 && this.#chance(0.2) ? this.#random.pick(paid) : null;
    const refunded = one && account.refunds.some(({ payment_intent }) => payment_intent === one.id);
    if (one && !known.has(one.id) && !refunded) account.dispute(one.id);
    for (const [id, { status }] of account.disputes)
      if (status === 'needs_response' && this.#chance(0.05))
        account.decideDispute(id, this.#chance(0.5) ? 'won' : 'lost');
    if (this.paypal.down) return;
    for (const { transaction_status: status, sender_batch_id: key } of this.paypal.account.items()) {
      if (status === 'UNCLAIMED' && this.#chance(0.1))
        this.paypal.account.turn(key, this.#chance(0.5) ? 'SUCCESS' : 'RETURNED');
      if ((status === 'PENDING' || status === 'ONHOLD') && this.#chance(0.2))
        this.paypal.account.turn(key, this.#chance(0.8) ? 'SUCCESS' : 'RETURNED');
      if (status === 'SUCCESS' && this.#chance(0.001)) this.paypal.account.turn(key, 'REFUNDED');
    }
  }

  /** Delivers what happened in any order, some of it twice, and doubles once more on a later day. */
  async hear(now: Date, tell: (command: Command) => Promise<unknown>): Promise<void> {
    const { stripe, paypal } = this;
    if (!stripe.down)
      for (const event of this.#shuffled(stripe.account.events, 'stripe'))
        await tell({ do: 'webhook', ...stripe.webhook(event as StripeEvent, now) });
    if (paypal.down) return;
    for (const event of this.#shuffled(paypal.account.events, 'paypal'))
      await tell({ do: 'payout_webhook', ...paypal.webhook(event as PaypalEvent, now) });
  }

  #shuffled(
    events: ReadonlyArray<StripeEvent | PaypalEvent>,
    of: 'stripe' | 'paypal',
  ): Array<StripeEvent | PaypalEvent> {
    const fresh = events.slice(this.#seen[of]);
    this.#seen[of] = events.length;
    const all = [...fresh, ...this.#late[of], ...fresh.filter(() => this.#chance(0.1))];
    this.#late[of] = fresh.filter(() => this.#chance(0.02)) as never;
    return all
      .map((event) => ({ event, place: this.#random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ event }) => event);
  }
}
