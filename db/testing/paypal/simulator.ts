import { createSign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type FaultyServer, faultyServer } from '../faulty-server.ts';
import { type Answer, PaypalAccount, type PaypalEvent } from './account.ts';
import { otherKey, signingCertificate, signingKey } from './keys.ts';

export interface PaypalSimulator extends FaultyServer {
  account: PaypalAccount;
  /** Takes every token back, as when the operator revokes them. */
  revoke(): void;
  /** A webhook of this event as PayPal sends it at `now`: its body and its headers. */
  webhook(event: PaypalEvent, now: Date, forged?: boolean): { body: string; headers: Record<string, string> };
}

/** The settings of the simulator's account. */
export const paypalKeys = {
  PAYPAL_CLIENT_ID: 'client_simulator',
  PAYPAL_CLIENT_SECRET: 'secret_simulator',
  PAYPAL_WEBHOOK_ID: 'WH-SIMULATOR',
} as const;

const certificate_path = '/v1/notifications/certs/CERT-1';

/** Starts a server that speaks the HTTP of PayPal's Payouts API, with OAuth and the certificate of its webhooks. */
export async function paypalSimulator(): Promise<PaypalSimulator> {
  const account = new PaypalAccount();
  let tokens = 0;
  const server = await faultyServer(
    ({ method, path }) => method === 'POST' && path === '/v1/payments/payouts',
    ({ method, path, query, headers, body }): Answer | { status: number; body: string } => {
      if (path === certificate_path) return { status: 200, body: signingCertificate };
      if (path === '/v1/oauth2/token') {
        const { PAYPAL_CLIENT_ID: id, PAYPAL_CLIENT_SECRET: secret } = paypalKeys;
        const known = headers.authorization === `Basic ${btoa(`${id}:${secret}`)}`;
        if (!known || body !== 'grant_type=client_credentials')
          return { status: 401, body: { error: 'invalid_client' } };
        tokens += 1;
        return {
          status: 200,
          body: { access_token: `token_${tokens}`, token_type: 'Bearer', expires_in: 32_400 },
        };
      }
      if (headers.authorization !== `Bearer token_${tokens}`)
        return { status: 401, body: { name: 'AUTHENTICATION_FAILURE' } };
      const id = path.split('/')[4] ?? '';
      const route = `${method} ${id ? path.replace(id, ':id') : path}`;
      switch (route) {
        case 'POST /v1/payments/payouts':
          return account.pay(JSON.parse(body), server.address);
        case 'GET /v1/payments/payouts/:id':
          return account.batch(id);
        case 'GET /v1/payments/payouts-item/:id':
          return account.item(id);
        case 'POST /v1/payments/payouts-item/:id/cancel':
          return account.cancel(id);
        case 'GET /v1/reporting/transactions':
          return account.search(query);
        default:
          return { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } };
      }
    },
  );
  return Object.assign(server, {
    account,
    revoke: () => {
      tokens += 1;
    },
    webhook(event: PaypalEvent, now: Date, forged = false) {
      const body = JSON.stringify(event);
      const [id, time] = [`T-${event.id}`, now.toISOString()];
      const signed = `${id}|${time}|${paypalKeys.PAYPAL_WEBHOOK_ID}|${crc32(body)}`;
      const headers = {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${server.address}${certificate_path}`,
        'paypal-transmission-sig': createSign('RSA-SHA256')
          .update(signed)
          .sign(forged ? otherKey : signingKey, 'base64'),
      };
      return { body, headers };
    },
  });
}
