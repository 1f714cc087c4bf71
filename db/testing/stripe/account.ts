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
  latest_charge: string | null;
}
/** What Stripe books: a payment or a dispute, in the currency in which it settles. */
interface Booked {
  id: string;
  object: 'balance_transaction';
  type: 'charge' | 'adjustment';
  amount: number;
  fee: number;
  currency: string;
  created: number;
  source: { id: string; object: string; payment_intent: string };
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

/** What Stripe keeps of a payment, and for a dispute; the latter is given back when it is won. In its units. */
const paymentFee = (amount: number) => Math.round((amount * 29) / 1000) + 30;
const disputeFee = 1500;

const idOf = (kind: string) => `${kind}_${randomBytes(9).toString('hex')}`;

/** An account at Stripe in memory: what its customers have and did, and the money. */
export class StripeAccount {
  /** The time at Stripe. */
  clock: () => Date = () => new Date();
  readonly customers = new Set<string>();
  readonly setups = new Map<string, Setup>();
  readonly methods = new Map<string, { customer: string; kind: CardKind; number: string }>();
  readonly intents = new Map<string, Intent>();
  readonly refunds: Array<{
    payment_intent: string;
    amount: number;
    currency: string;
    created: number;
    status: string;
    metadata: object;
  }> = [];
  /** Its balance transactions of payments and disputes. */
  readonly booked: Booked[] = [];
  /** The currency in which Stripe settles payments of another one; the amounts stay as they are. */
  readonly settles = new Map<string, string>();
  readonly disputes = new Map<string, Record<string, unknown>>();
  /** Its money by currency, after fees, in Stripe's units. */
  readonly balance = new Map<string, number>();
  /** What its webhooks tell, in the order in which it happened. */
  readonly events: StripeEvent[] = [];

  #tell(type: string, object: object): void {
    this.events.push({ id: idOf('evt'), type, data: { object: structuredClone(object) } });
  }
  #move(currency: string, amount: number): void {
    this.balance.set(currency, (this.balance.get(currency) ?? 0) + amount);
  }
  /** Books what Stripe keeps of a payment or for a dispute. */
  #book(source: Booked['source'], amount: number, currency: string, fee: number): Booked {
    const settled = this.settles.get(currency) ?? currency;
    const one: Booked = {
      ...{ id: idOf('txn'), object: 'balance_transaction', amount, fee, currency: settled, source },
      ...{ type: source.object === 'charge' ? 'charge' : 'adjustment', created: this.#seconds() },
    };
    this.booked.push(one);
    this.#move(settled, -fee);
    return one;
  }
  #seconds = (): number => Math.floor(this.clock().getTime() / 1000);

  /** An intent, with its charge and that of its balance transaction where asked. */
  intentOf(id: string, expanded: boolean): object {
    const intent = this.intent(id);
    const balance_transaction = this.booked.find(({ source }) => source.id === intent.latest_charge) ?? null;
    if (!expanded || intent.latest_charge === null) return intent;
    return { ...intent, latest_charge: { id: intent.latest_charge, object: 'charge', balance_transaction } };
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

  /** Deletes a customer. */
  forget(id: string): object {
    if (!this.customers.delete(id)) throw missing('customer');
    return { id, object: 'customer', deleted: true };
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

  /**
   * What Stripe's element does in a browser: confirms a card by the client secret. Gives the id of the setup intent. The
   * same `number` is the same card, which has the same fingerprint; without one a customer has one card of each kind.
   */
  enterCard(client_secret: string, kind: CardKind, given?: string): string {
    const setup = [...this.setups.values()].find((one) => one.client_secret === client_secret);
    if (!setup) throw missing('setup_intent');
    const number = given ?? `${setup.customer} ${kind}`;
    const method = idOf('pm');
    this.methods.set(method, { customer: setup.customer, kind, number });
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
    const { kind, number } = this.methods.get(setup.payment_method ?? '') ?? {};
    const card = {
      ...{ brand: 'visa', last4: '4242', fingerprint: `number_${number}` },
      ...{ exp_month: 12, exp_year: kind === 'expired' ? 2020 : 2030 },
    };
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
      ...{ last_payment_error: null, cancellation_reason: null, latest_charge: null },
    };
    this.intents.set(id, intent);
    this.#tell('payment_intent.created', intent);
    return this.#try(intent, method.kind, away);
  }
  /** Confirms an intent that waits with another card. */
  confirm(id: string, payment_method: string): Intent {
    const intent = this.intent(id);
    const method = this.methods.get(payment_method);
    if (method?.customer !== intent.customer) throw missing('payment_method');
    if (!/^requires_(action|confirmation|payment_method)$/.test(intent.status)) throw unexpected();
    Object.assign(intent, { payment_method, last_payment_error: null });
    return this.#try(intent, method.kind, false);
  }
  #try(intent: Intent, kind: CardKind, away: boolean): Intent {
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
    const { id: payment_intent, currency, amount } = intent;
    const charge = { id: idOf('ch'), object: 'charge', payment_intent };
    Object.assign(intent, { status: 'succeeded', latest_charge: charge.id });
    this.#move(currency, amount);
    this.#book(charge, amount, currency, paymentFee(amount));
    this.#tell('payment_intent.succeeded', intent);
    this.#tell('charge.succeeded', charge);
    this.#tell('charge.updated', charge);
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
      currency: intent.currency,
      created: Math.floor(Date.now() / 1000),
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
    const taken = [this.#book({ id, object: 'dispute', payment_intent }, -amount, currency, disputeFee)];
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
      payment_intent: string;
      balance_transactions: object[];
    };
    Object.assign(dispute, { status });
    if (status === 'won') {
      const { amount, currency, payment_intent } = dispute;
      const back = this.#book({ id, object: 'dispute', payment_intent }, amount, currency, -disputeFee);
      dispute.balance_transactions.push(back);
      this.#move(dispute.currency, dispute.amount);
      this.#tell('charge.dispute.funds_reinstated', dispute);
    }
    this.#tell('charge.dispute.closed', dispute);
  }
}
