import type { Settings } from '../../../../platform/runtime/env.ts';

import type { PayoutMethod, PayoutOutcome, PayoutProvider, PayoutRequest } from '../../provider.ts';
import { decimalOf } from '../decimal.ts';
import { NoAnswer, type PaypalHttp, paypalHttp, unreachable } from './http.ts';
import { listTransactions } from './list.ts';
import {
  batchBefore,
  batchShape,
  failureOfRefusal,
  itemShape,
  outcomeOfBatch,
  outcomeOfItem,
} from './states.ts';
import { paypalCertificates, verifyWebhook } from './webhook.ts';

const live_address = 'https://api-m.paypal.com';
/** How long somebody waits for an answer of PayPal; after that a webhook or a later run tells. */
const patience_ms = 10_000;

const range = { min_minor: 25, max_minor: 10_000_000 };
const plain = { image_url: null, logo_url: null, currency: null, exchange_rate: null };
const paypal: PayoutMethod = {
  ...{ ...plain, id: 'paypal', type: 'paypal', name: 'PayPal', category: 'paypal', interval: range },
};
const venmo: PayoutMethod = {
  ...{ ...plain, id: 'venmo', type: 'venmo', name: 'Venmo', category: 'paypal', interval: range },
};

type PaypalSettings = Partial<
  Pick<Settings, 'PAYPAL_CLIENT_ID' | 'PAYPAL_CLIENT_SECRET' | 'PAYPAL_WEBHOOK_ID' | 'PAYPAL_API_URL'>
>;

/**
 * PayPal and Venmo by the Payouts API: a batch of one for each payout, whose `sender_batch_id` is our key. PayPal knows such
 * an id for 30 days: a key must not be sent again after that. Venmo pays people in the US only.
 */
export function paypalPayouts(settings: PaypalSettings, { timeout = patience_ms } = {}): PayoutProvider {
  const { PAYPAL_CLIENT_ID: client_id = '', PAYPAL_CLIENT_SECRET: secret = '' } = settings;
  const address = settings.PAYPAL_API_URL ?? live_address;
  const http = paypalHttp({ client_id, secret, address }, timeout);
  const certificates = paypalCertificates(http, address);
  const test = new URL(address).hostname.endsWith('.sandbox.paypal.com');
  return {
    name: test ? 'paypal_test' : 'paypal',
    test,
    async methods(country) {
      // with wrong keys nobody is offered what would never arrive
      await http.check();
      return country === 'US' ? [paypal, venmo] : [paypal];
    },
    send: async (ask) => await send(http, ask),
    retrieve: async ({ reference }) => {
      // PayPal finds no batch by our key; sending it again does
      if (reference === null) return unknown;
      return (await read(http, reference)) ?? gone;
    },
    cancel: async ({ reference }) => await cancel(http, reference),
    verify: async (headers, body, now) =>
      await verifyWebhook(http, certificates, settings.PAYPAL_WEBHOOK_ID ?? '', headers, body, now),
    list: (asked) => listTransactions(http, asked),
  };
}

const unknown: PayoutOutcome = { reference: null, state: 'in-transit', failure: null };
const gone: PayoutOutcome = { ...unknown, state: 'gone' };
const failed = (failure: string): PayoutOutcome => ({ reference: null, state: 'failed', failure });

async function send(http: PaypalHttp, ask: PayoutRequest): Promise<PayoutOutcome> {
  if (!Number.isSafeInteger(ask.amount_minor) || ask.amount_minor <= 0) return failed('other');
  const batch = batchOf(ask);
  // PayPal pays an id once, so that a request without an answer is repeated at once
  for (const last of [false, true])
    try {
      const { status, body } = await http.call('POST', '/v1/payments/payouts', batch);
      const made = batchShape.safeParse(body);
      if (status === 201 && made.success) return outcomeOfBatch(made.data);
      const before = batchBefore(body);
      if (before) return (await read(http, before).catch(whenGone)) ?? { ...unknown, reference: before };
      // 401 and 403: the operator's keys or rights, which the receiver can do nothing about
      if (status === 400 || status === 422) return failed(failureOfRefusal(body));
      return unknown;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (last) break;
    }
  return unknown;
}

const whenGone = (error: unknown): null => {
  if (error instanceof Error && error.cause instanceof NoAnswer) return null;
  throw error;
};

function batchOf({ key, method_id, receiver, amount_minor }: PayoutRequest): object {
  const to_venmo = method_id === 'venmo';
  return {
    sender_batch_header: { sender_batch_id: key },
    items: [
      {
        recipient_type: to_venmo ? 'USER_HANDLE' : 'EMAIL',
        recipient_wallet: to_venmo ? 'VENMO' : 'PAYPAL',
        receiver: to_venmo ? receiver.address.replace(/^@/, '') : receiver.address,
        amount: { value: decimalOf(amount_minor), currency: 'USD' },
        sender_item_id: key,
        // Venmo asks for one
        note: `Payout ${key}`,
      },
    ],
  };
}

/** The outcome of a batch, read again; null when PayPal knows no such batch. Refuses `payouts_unreachable`. */
async function read(http: PaypalHttp, reference: string): Promise<PayoutOutcome | null> {
  const batch = await readBatch(http, reference);
  return batch && outcomeOfBatch(batch);
}

async function readBatch(http: PaypalHttp, reference: string) {
  try {
    const path = `/v1/payments/payouts/${encodeURIComponent(reference)}?page_size=1`;
    const { status, body } = await http.call('GET', path);
    if (status === 404) return null;
    const batch = batchShape.safeParse(body);
    if (status !== 200 || !batch.success) throw new NoAnswer(`PayPal told nothing of a batch: ${status}.`);
    return batch.data;
  } catch (error) {
    throw unreachable(error);
  }
}

/** Takes back what nobody claimed; everything else is what it is. Refuses `payouts_unreachable`. */
async function cancel(http: PaypalHttp, reference: string | null): Promise<PayoutOutcome> {
  if (reference === null) return unknown;
  const batch = await readBatch(http, reference);
  if (!batch) return gone;
  const [item] = batch.items ?? [];
  if (item?.transaction_status !== 'UNCLAIMED') return outcomeOfBatch(batch);
  try {
    const path = `/v1/payments/payouts-item/${encodeURIComponent(item.payout_item_id)}/cancel`;
    const { status, body } = await http.call('POST', path, {});
    const canceled = itemShape.safeParse(body);
    if (status === 200 && canceled.success) return outcomeOfItem(canceled.data, true);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
  // it was claimed in this moment, or canceled without an answer
  const [after] = (await readBatch(http, reference))?.items ?? [];
  return after ? outcomeOfItem(after, true) : outcomeOfBatch(batch);
}
