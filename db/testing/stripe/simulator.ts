import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { StripeAccount, type StripeEvent, Wrong } from './account.ts';
import { formOf, metadataOf, routeOf, strangerIn } from './form.ts';

/**
 * What goes wrong with the next payment: `500_before` nothing happens, `500_after` the money is taken, `hang` nothing
 * happens and no answer comes, `hang_after` the money is taken and no answer comes, `vanish` the same, and it is down from
 * then on.
 */
type Fault = '500_before' | '500_after' | 'hang' | 'hang_after' | 'vanish';

export interface StripeSimulator {
  /** For STRIPE_API_URL. */
  address: string;
  account: StripeAccount;
  /** Of the next payments, one each. */
  faults: Fault[];
  /** Whether every request is answered with 503. */
  down: boolean;
  /** Requests so far, such as `POST /v1/payment_intents`. */
  asked: string[];
  /** Forgets its idempotency keys, as Stripe does after a day. */
  forget(): void;
  /** A webhook of this event as it is sent at `now`: its body, and its signature. */
  webhook(event: StripeEvent, now: Date, key?: string): { body: string; signature: string };
  close(): Promise<void>;
}

/** The keys of the simulator's account: live ones, since test payments give creators nothing. */
export const stripeKeys = {
  PAYMENTS: 'stripe',
  STRIPE_SECRET_KEY: 'sk_live_simulator',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_simulator',
  STRIPE_WEBHOOK_SECRET: 'whsec_simulator',
} as const;

interface Answer {
  status: number;
  body: object;
}

/** Starts a server that speaks the HTTP of Stripe: forms in, JSON out, the same answer for the same idempotency key. */
export async function stripeSimulator(): Promise<StripeSimulator> {
  const answered = new Map<string, { asked: string; answer: Answer }>();
  const webhooks = new Stripe('sk_test_signs').webhooks;
  const server = createServer((request, response) => void answer(request, response));
  const simulator: StripeSimulator = {
    ...{ address: '', account: new StripeAccount(), faults: [], down: false, asked: [] },
    webhook(event, now, secret = stripeKeys.STRIPE_WEBHOOK_SECRET) {
      const body = JSON.stringify({ object: 'event', api_version: '2020-08-27', livemode: true, ...event });
      const timestamp = Math.floor(now.getTime() / 1000);
      return { body, signature: webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) };
    },
    forget: () => answered.clear(),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url!, 'http://stripe');
    const { method = '' } = request;
    const body = method === 'GET' ? search.slice(1) : await text(request);
    simulator.asked.push(`${method} ${pathname}`);
    const key = request.headers['idempotency-key'] as string | undefined;
    const asked = `${method} ${pathname} ${body}`;
    const before = key ? answered.get(key) : undefined;
    const pays = method === 'POST' && pathname === '/v1/payment_intents';
    const fault = pays && !before ? simulator.faults.shift() : undefined;
    if (fault === 'hang') return;
    let told = before?.answer;
    if (before && before.asked !== asked) told = wrong(400, { type: 'idempotency_error' });
    if (simulator.down || fault === '500_before') told = wrong(503, { type: 'api_error' });
    else told ??= decide(request, method, pathname, body);
    if (fault === '500_after') told = wrong(500, { type: 'api_error' });
    // an answer is kept for its key, a 500 too
    if (key && !simulator.down && !before) answered.set(key, { asked, answer: told });
    simulator.down ||= fault === 'vanish';
    if (fault === 'hang_after' || fault === 'vanish') return;
    response.writeHead(told.status, { 'content-type': 'application/json', 'request-id': 'req_1' });
    response.end(JSON.stringify(told.body));
  }

  function decide(request: IncomingMessage, method: string, path: string, body: string): Answer {
    if (request.headers.authorization !== `Bearer ${stripeKeys.STRIPE_SECRET_KEY}`)
      return wrong(401, { type: 'invalid_request_error', message: 'Invalid API key' });
    const found = routeOf(method, path);
    if (!found)
      return wrong(404, { type: 'invalid_request_error', message: `Unrecognized ${method} ${path}` });
    const form = formOf(body);
    const stranger = strangerIn(found.route, form);
    if (stranger !== null)
      return wrong(400, { type: 'invalid_request_error', code: 'parameter_unknown', param: stranger });
    try {
      return { status: 200, body: run(simulator.account, found.route, found.id, form) };
    } catch (error) {
      if (error instanceof Wrong) return wrong(error.status, error.error);
      throw error;
    }
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  simulator.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return simulator;
}

const wrong = (status: number, error: object): Answer => ({ status, body: { error } });
const listOf = (data: object[]) => ({ object: 'list', data, has_more: false, url: '/v1' });

function run(account: StripeAccount, route: string, id: string, form: Map<string, string>): object {
  const given = (name: string) => form.get(name) ?? '';
  const [since, until] = [Number(given('created[gte]')), Number(form.get('created[lt]') ?? Infinity)];
  const within = <T extends { created: number }>(all: T[]) =>
    all.filter(({ created }) => created >= since && created < until);
  switch (route) {
    case 'POST /v1/customers':
      return account.customer();
    case 'POST /v1/setup_intents':
      return account.setUp(given('customer'));
    case 'GET /v1/setup_intents/:id':
      return account.setupOf(id, given('expand[0]') === 'payment_method');
    case 'POST /v1/payment_methods/:id/detach':
      return account.detach(id);
    case 'POST /v1/payment_intents': {
      const [currency, customer, payment_method] = ['currency', 'customer', 'payment_method'].map(given) as [
        string,
        string,
        string,
      ];
      const ask = { amount: Number(given('amount')), currency, customer, payment_method };
      return account.pay({ ...ask, metadata: metadataOf(form) }, given('off_session') === 'true');
    }
    case 'GET /v1/payment_intents': {
      const all = [...account.intents.values()].reverse();
      return listOf(within(all.filter((one) => !form.has('customer') || one.customer === given('customer'))));
    }
    case 'GET /v1/payment_intents/:id':
      return account.intentOf(id, given('expand[0]') === 'latest_charge.balance_transaction');
    case 'POST /v1/payment_intents/:id/confirm':
      return account.confirm(id, given('payment_method'));
    case 'POST /v1/payment_intents/:id/cancel':
      return account.cancel(id, given('cancellation_reason'));
    case 'POST /v1/refunds':
      return account.refund(given('payment_intent'), Number(given('amount')), metadataOf(form));
    case 'GET /v1/refunds':
      return listOf(
        within(
          account.refunds.filter(
            (one) => !form.has('payment_intent') || one.payment_intent === given('payment_intent'),
          ),
        ),
      );
    case 'GET /v1/balance_transactions':
      return listOf(within(account.booked));
    case 'DELETE /v1/customers/:id':
      return account.forget(id);
    default: {
      const dispute = account.disputes.get(id);
      if (!dispute) throw new Wrong(404, { type: 'invalid_request_error', code: 'resource_missing' });
      return dispute;
    }
  }
}
