import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import { isPublic, nameResolver } from './public-address.ts';

export interface PublicRequestOptions {
  /** Whether an address may be reached; tests allow their own loopback server. */
  allow?: (address: string, port: number) => boolean;
  /** How long the answer may take to begin, in milliseconds. */
  answer_ms?: number;
  /** Name servers to use instead of the system's. */
  servers?: string[];
}

export interface PublicRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Aborts the whole request, the body of the answer included. */
  signal: AbortSignal;
}

/** An address that users gave and that this server does not connect to. */
export class AddressRefused extends Error {}

/** Public addresses and the ports of http and https only: others could be mail servers and the like. */
const ofTheWeb = (address: string, port: number): boolean =>
  isPublic(address) && (port === 80 || port === 443);

/** Rejects when `signal` aborts, for operations that take no signal themselves. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_go, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true }));

/**
 * Sends one request to an address that a user gave. Its name is resolved here, all of its addresses are checked, and the
 * connection goes to a checked one, so DNS rebinding has no effect. Redirects are not followed. Throws `AddressRefused` for
 * other protocols, passwords in the address, and addresses that are not public.
 */
export function publicRequester({ allow = ofTheWeb, answer_ms = 8000, servers }: PublicRequestOptions = {}) {
  const resolve = nameResolver(servers);

  async function checked(host: string, port: number): Promise<LookupAddress[]> {
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host);
    if (addresses.length === 0) throw new AddressRefused(`${host} has no address`);
    if (!addresses.every(({ address }) => allow(address, port)))
      throw new AddressRefused(`${host} is not public`);
    return addresses;
  }

  const agentFor = (addresses: LookupAddress[]) =>
    new Agent({
      connect: {
        timeout: 5000,
        lookup: (_host, options, done) => {
          if (options.all) done(null, addresses);
          else done(null, addresses[0]!.address, addresses[0]!.family);
        },
      },
      maxHeaderSize: 16_384,
      headersTimeout: answer_ms,
      bodyTimeout: 5000,
    });

  return async (url: URL, { signal, ...sent }: PublicRequest): Promise<Dispatcher.ResponseData> => {
    signal.throwIfAborted();
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new AddressRefused(`${url.protocol} is not fetched`);
    if (url.username || url.password) throw new AddressRefused('addresses with a password are not fetched');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const dispatcher = agentFor(await Promise.race([checked(host, port), ended(signal)]));
    try {
      const answer = await request(url, { dispatcher, signal, ...sent });
      answer.body.once('close', () => void dispatcher.destroy());
      return answer;
    } catch (error) {
      void dispatcher.destroy();
      throw error;
    }
  };
}
