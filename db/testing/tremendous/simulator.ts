import { createHmac } from 'node:crypto';
import { type FaultyServer, faultyServer, type Told } from '../faulty-server.ts';
import { TremendousAccount, type TremendousEvent } from './account.ts';
import { products } from './products.ts';

export interface TremendousSimulator extends FaultyServer {
  account: TremendousAccount;
  /** A webhook of this event as it is sent, having happened at `at`: its body and its headers. */
  webhook(event: TremendousEvent, at: Date, key?: string): { body: string; headers: Record<string, string> };
}

/** The settings of the simulator's organization. */
export const tremendousKeys = {
  TREMENDOUS_API_KEY: 'TEST_simulator',
  TREMENDOUS_FUNDING_SOURCE: 'balance',
  TREMENDOUS_CAMPAIGN_ID: undefined,
  TREMENDOUS_WEBHOOK_KEY: 'private_simulator',
} as const;

/** Starts a server that speaks the HTTP of Tremendous. */
export async function tremendousSimulator(): Promise<TremendousSimulator> {
  const account = new TremendousAccount();
  const server = await faultyServer(
    ({ method, path }) => method === 'POST' && path === '/api/v2/orders',
    ({ method, path, query, headers, body }): Told => {
      if (headers.authorization !== `Bearer ${tremendousKeys.TREMENDOUS_API_KEY}`)
        return { status: 401, body: { errors: { message: 'Unauthorized' } } };
      const id = decodeURIComponent(path.split('/')[4] ?? '');
      const route = `${method} ${id ? path.replace(id, ':id') : path}`.replace('/api/v2', '');
      switch (route) {
        case 'GET /products': {
          const asked = query.get('country')!;
          const fits = ({ countries }: (typeof products)[number]) =>
            countries.length === 0 || countries.some(({ abbr }) => abbr === asked);
          return { status: 200, body: { products: products.filter(fits) } };
        }
        case 'GET /products/:id': {
          const product = products.find((one) => one.id === id);
          return product ? { status: 200, body: { product } } : { status: 404, body: { errors: {} } };
        }
        case 'GET /forex':
          return { status: 200, body: { forex: account.rates } };
        case 'POST /orders':
          return account.order(JSON.parse(body));
        case 'GET /orders':
          return account.list(query);
        case 'GET /orders/:id':
          return account.read(id);
        case 'GET /rewards/:id':
          return account.reward(id);
        case 'POST /rewards/:id/cancel':
          return account.cancel(id);
        default:
          return { status: 404, body: { errors: { message: 'Not found' } } };
      }
    },
  );
  return Object.assign(server, {
    account,
    address: `${server.address}/api/v2`,
    webhook(event: TremendousEvent, at: Date, key: string = tremendousKeys.TREMENDOUS_WEBHOOK_KEY) {
      const body = JSON.stringify({ ...event, created_utc: at.toISOString() });
      const signature = createHmac('sha256', key).update(body).digest('hex');
      return { body, headers: { 'tremendous-webhook-signature': `sha256=${signature}` } };
    },
  });
}
