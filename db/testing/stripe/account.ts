import { randomBytes } from 'node:crypto';

/** What a card of the simulator does; its payment method is `pm_` and this. */
export type CardKind = 'good' | 'declined' | 'insufficient' | 'asks' | 'fails_later' | 'expired';

/** An error as Stripe answers it. */
export class Wrong extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.code));
    this.status = status;
    this.error = error;
  }
}
const missing = (what: string) =>
  new Wrong(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` });
const unexpected = () =>
  new Wrong(400, {
    ...{ type: 'invalid_request_error', code: 'payment_intent_unexpected_state' },
    message: 'This intent is in another state.',
  });

export interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  customer: string;
  payment_method: string;
  status: string;
  client_secret: string;
  created: number;
  metadata: Record<string, string>;
  last_payment_error: Record<string, string> | null;
  cancellation_reason: string | null;
}
interface Setup {
  id: string;
  object: 'setup_intent';
  customer: string;
  client_secret: string;
  status: string;
  payment_method: string | null;
}
export interface StripeEvent {
  id: string;
  type: string;
  data: { object: object };
}

const idOf = (kind: string) => `${kind}_${randomBytes(9).toString('hex')}`;

/** An account at Stripe in memory: what its customers have and did, and the money. */
export class StripeAccount {
  /** The time at Stripe. */
  clock: () => Date = () => new Date();
  readonly customers = new Set<string>();
  readonly setups = new Map<string, Setup>();
  readonly methods = new Map<string, { customer: string; kind: CardKind }>();
  readonly intents = new Map<string, Intent>();
  readonly refunds: Array<{ payment_intent: string; amount: number; status: string; metadata: object }> = [];
  readonly disputes = new Map<string, Record<string, unknown>>();
  /** Its money by currency, in Stripe's units. */
  readonly balance = new Map<string, number>();
  /** What its webhooks tell, in the order in which it happened. */
  readonly events: StripeEvent[] = [];

  #tell(type: string, object: object): void {
    this.events.push({ id: idOf('evt'), type, data: { object: structuredClone(object) } });
  }
  #move(currency: string, amount: number): void {
    this.balance.set(currency, (this.balance.get(currency) ?? 0) + amount);
  }
  intent(id: string): Intent {
    const intent = this.intents.get(id);
    if (!intent) throw missing('payment_intent');
    return intent;
  }

  customer(): { id: string; object: string } {
    const id = idOf('cus');
    this.customers.add(id);
    return { id, object: 'customer' };
  }

  setUp(customer: string): Setup {
    if (!this.customers.has(customer)) throw missing('customer');
    const id = idOf('seti');
    const setup: Setup = {
      ...{ id, object: 'setup_intent', customer, client_secret: `${id}_secret_x` },
      ...{ status: 'requires_payment_method', payment_method: null },
    };
    this.setups.set(id, setup);
    return setup;
  }

  /** What Stripe's element does in a browser: confirms a card by the client secret. Gives the id of the setup intent. */
  enterCard(client_secret: string, kind: CardKind): string {
    const setup = [...this.setups.values()].find((one) => one.client_secret === client_secret);
    if (!setup) throw missing('setup_intent');
    const method = idOf('pm');
    this.methods.set(method, { customer: setup.customer, kind });
    Object.assign(setup, { status: 'succeeded', payment_method: method });
    return setup.id;
  }

  /** Takes a card off its customer. */
  detach(id: string): object {
    if (!this.methods.delete(id)) throw missing('payment_method');
    return { id, object: 'payment_method', customer: null };
  }

  setupOf(id: string, expanded: boolean): object {
    const setup = this.setups.get(id);
    if (!setup) throw missing('setup_intent');
    const kind = this.methods.get(setup.payment_method ?? '')?.kind;
    const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: kind === 'expired' ? 2020 : 2030 };
    const method = { id: setup.payment_method, object: 'payment_method', type: 'card', card };
    return expanded && setup.payment_method ? { ...setup, payment_method: method } : setup;
  }

  /** Creates an intent and confirms it. */
  pay(
    ask: Pick<Intent, 'amount' | 'currency' | 'customer' | 'payment_method' | 'metadata'>,
    away: boolean,
  ): Intent {
    const method = this.methods.get(ask.payment_method);
    if (!this.customers.has(ask.customer)) throw missing('customer');
    if (method?.customer !== ask.customer) throw missing('payment_method');
    if (!Number.isSafeInteger(ask.amount) || ask.amount < 1)
      throw new Wrong(400, { type: 'invalid_request_error', code: 'parameter_invalid_integer' });
    if (/^(bhd|jod|kwd|omr|tnd)$/.test(ask.currency) && ask.amount % 10 !== 0)
      throw new Wrong(400, { type: 'invalid_request_error', code: 'invalid_amount' });
    const id = idOf('pi');
    const intent: Intent = {
      ...{ ...ask, id, object: 'payment_intent', client_secret: `${id}_secret_x` },
      ...{ status: 'requires_confirmation', created: Math.floor(this.clock().getTime() / 1000) },
      ...{ last_payment_error: null, cancellation_reason: null },
    };
    this.intents.set(id, intent);
    this.#tell('payment_intent.created', intent);
    const { kind } = method;
    if (kind === 'asks' && !away) {
      intent.status = 'requires_action';
      this.#tell('payment_intent.requires_action', intent);
      return intent;
    }
    if (kind === 'asks') this.#decline(intent, { code: 'authentication_required' });
    if (kind === 'declined' || (kind === 'fails_later' && away))
      this.#decline(intent, { code: 'card_declined', decline_code: 'generic_decline' });
    if (kind === 'insufficient')
      this.#decline(intent, { code: 'card_declined', decline_code: 'insufficient_funds' });
    this.#take(intent);
    return intent;
  }
  #take(intent: Intent): void {
    intent.status = 'succeeded';
    this.#move(intent.currency, intent.amount);
    this.#tell('payment_intent.succeeded', intent);
  }
  #fail(intent: Intent, error: Record<string, string>): void {
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { type: 'card_error', ...error };
    this.#tell('payment_intent.payment_failed', intent);
  }
  #decline(intent: Intent, error: Record<string, string>): never {
    this.#fail(intent, error);
    throw new Wrong(402, { ...intent.last_payment_error, payment_intent: structuredClone(intent) });
  }

  /** What the payer does with the question of the bank. */
  authenticate(client_secret: string, agrees: boolean): void {
    const intent = [...this.intents.values()].find((one) => one.client_secret === client_secret);
    if (intent?.status !== 'requires_action') throw unexpected();
    if (agrees) this.#take(intent);
    else this.#fail(intent, { code: 'payment_intent_authentication_failure' });
  }

  cancel(id: string, cancellation_reason: string): Intent {
    const intent = this.intent(id);
    if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected();
    Object.assign(intent, { status: 'canceled', cancellation_reason });
    this.#tell('payment_intent.canceled', intent);
    return intent;
  }

  refund(id: string, amount: number, metadata: object): object {
    const intent = this.intent(id);
    const given = this.refunds
      .filter((one) => one.payment_intent === id)
      .reduce((sum, one) => sum + one.amount, 0);
    if (given + amount > intent.amount)
      throw new Wrong(400, { type: 'invalid_request_error', code: 'charge_already_refunded' });
    const refund = {
      id: idOf('re'),
      object: 'refund',
      payment_intent: id,
      amount,
      status: 'succeeded',
      metadata,
    };
    this.refunds.push(refund);
    this.#move(intent.currency, -amount);
    this.#tell('charge.refunded', { id: idOf('ch'), payment_intent: id });
    return refund;
  }

  /** The payer of an intent disputes it, and the bank takes the money. */
  dispute(payment_intent: string): string {
    const { amount, currency } = this.intent(payment_intent);
    const id = idOf('dp');
    const taken = [{ amount: -amount }];
    this.disputes.set(id, {
      ...{ id, object: 'dispute', payment_intent, amount, currency },
      ...{ status: 'needs_response', balance_transactions: taken },
    });
    this.#move(currency, -amount);
    this.#tell('charge.dispute.created', this.disputes.get(id)!);
    this.#tell('charge.dispute.funds_withdrawn', this.disputes.get(id)!);
    return id;
  }
  /** The bank decides a dispute. */
  decideDispute(id: string, status: 'won' | 'lost'): void {
    const dispute = this.disputes.get(id) as {
      amount: number;
      currency: string;
      balance_transactions: object[];
    };
    Object.assign(dispute, { status });
    if (status === 'won') {
      dispute.balance_transactions.push({ amount: dispute.amount });
      this.#move(dispute.currency, dispute.amount);
      this.#tell('charge.dispute.funds_reinstated', dispute);
    }
    this.#tell('charge.dispute.closed', dispute);
  }
}
