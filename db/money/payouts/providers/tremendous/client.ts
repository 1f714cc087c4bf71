import type { ForexApi, OrdersApi, ProductsApi, RewardsApi } from 'tremendous';
import { Refused } from '../../../../platform/errors.ts';

/** All products of a country are one answer of some megabytes. */
const max_bytes = 16 * 1024 * 1024;

/** Tremendous' official library, whose calls end after some time. */
export interface TremendousClient {
  orders: OrdersApi;
  rewards: RewardsApi;
  products: ProductsApi;
  forex: ForexApi;
  /** Options of one call: it ends, whatever the other side does. */
  limits(): { signal: AbortSignal };
}

/** Opens the library, which is loaded when it is first needed: it takes 4 MB with what it uses. */
export async function openClient(key: string, address: string, timeout: number): Promise<TremendousClient> {
  const library = await import('tremendous');
  const configuration = new library.Configuration({
    accessToken: key,
    basePath: address,
    baseOptions: { timeout, maxRedirects: 0, maxContentLength: max_bytes, maxBodyLength: max_bytes },
  });
  return {
    orders: new library.OrdersApi(configuration),
    rewards: new library.RewardsApi(configuration),
    products: new library.ProductsApi(configuration),
    forex: new library.ForexApi(configuration),
    limits: () => ({ signal: AbortSignal.timeout(timeout) }),
  };
}

/** A failure of the library's HTTP client; its class is loaded with it, its mark suffices here. */
interface Failure extends Error {
  isAxiosError: true;
  response?: { status: number; data: unknown };
}
const isFailure = (error: unknown): error is Failure =>
  error instanceof Error && 'isAxiosError' in error && error.isAxiosError === true;

/** The answer of Tremendous made no sense. */
export class Nonsense extends Error {}

/** The status with which Tremendous refused a request; null when it gave no answer. Throws what is no failure of HTTP. */
export function statusOf(error: unknown): number | null {
  if (error instanceof Nonsense) return null;
  if (!isFailure(error)) throw error;
  const { status = 0 } = error.response ?? {};
  return status >= 400 && status < 500 && status !== 429 ? status : null;
}

/** What Tremendous says about a request that it refused. */
export const answerText = (error: unknown): string =>
  isFailure(error) ? JSON.stringify(error.response?.data ?? '').slice(0, 2000) : '';

/** The refusal for people in place of a failure of HTTP. Its cause says the status only: requests have the API key. */
export function unreachable(error: unknown): unknown {
  const nonsense = error instanceof Nonsense;
  if (!nonsense && !isFailure(error)) return error;
  const refused = new Refused('payouts_unreachable');
  const told = isFailure(error) ? `Tremendous answered ${error.response?.status ?? 'nothing'}.` : '';
  refused.cause = new Error(told || (error as Error).message);
  return refused;
}
