import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { isPublic, nameResolver } from './public-address.ts';

export interface FetchOptions {
  /** Whether an address may be fetched; tests allow their own loopback server. */
  allow?: (address: string, port: number) => boolean;
  /** Name servers to use instead of the system's. */
  servers?: string[];
}

/** The image cannot be served. The reason is logged only; every client gets the same 404. */
export class NoImage extends Error {}

/** Rejects when `signal` aborts, for operations that take no signal themselves. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_go, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true }));

const redirects = new Set([301, 302, 303, 307, 308]);
const max_redirects = 3;

/**
 * Public addresses and the ports of http and https only, so the proxy cannot be used to reach mail servers and the
 * like.
 */
const ofTheWeb = (address: string, port: number): boolean =>
  isPublic(address) && (port === 80 || port === 443);

/**
 * Fetches `address` over http or https. Each name is resolved here, all of its addresses are checked, and the
 * connection goes to a checked address, so DNS rebinding has no effect; the same for up to three redirects. Throws
 * `NoImage` for any status but 200. `signal` aborts the whole fetch, the body included.
 */
export function imageFetcher({ allow = ofTheWeb, servers }: FetchOptions, userAgent: string) {
  const resolve = nameResolver(servers);

  async function checked(host: string, port: number): Promise<LookupAddress[]> {
    const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host);
    if (addresses.length === 0) throw new NoImage(`${host} has no address`);
    if (!addresses.every(({ address }) => allow(address, port))) throw new NoImage(`${host} is not public`);
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
      headersTimeout: 8000,
      bodyTimeout: 5000,
    });

  async function once(url: URL, signal: AbortSignal) {
    signal.throwIfAborted();
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      throw new NoImage(`${url.protocol} is not fetched`);
    if (url.username || url.password) throw new NoImage('addresses with a password are not fetched');
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const dispatcher = agentFor(await Promise.race([checked(host, port), ended(signal)]));
    const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': userAgent };
    try {
      const answer = await request(url, { dispatcher, signal, headers });
      answer.body.once('close', () => void dispatcher.destroy());
      return answer;
    } catch (error) {
      void dispatcher.destroy();
      throw error;
    }
  }

  return async (address: string, signal: AbortSignal): Promise<{ body: Readable; length: number | null }> => {
    if (!URL.canParse(address)) throw new NoImage('not an address');
    let url = new URL(address);
    for (let step = 0; step <= max_redirects; step++) {
      const { statusCode, headers, body } = await once(url, signal);
      if (statusCode === 200) return { body, length: Number(headers['content-length']) || null };
      body.on('error', () => {}).destroy();
      const to = headers.location;
      if (!redirects.has(statusCode) || typeof to !== 'string' || !URL.canParse(to, url)) {
        throw new NoImage(`answered ${statusCode}`);
      }
      url = new URL(to, url);
    }
    throw new NoImage('too many redirects');
  };
}
