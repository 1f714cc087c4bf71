import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { isPublic, nameResolver } from './public-address.ts';

export interface FetchOptions {
  /** Whether an address may be asked; tests let their own loopback server in. */
  allow?: (address: string, port: number) => boolean;
  /** Name servers instead of the system's. */
  servers?: string[];
}

/** Why a picture cannot be shown; everybody gets the same 404. */
export class NoImage extends Error {}

/** Fails when `signal` ends: what has no signal of its own is left behind then. */
const ended = (signal: AbortSignal): Promise<never> =>
  new Promise((_go, fail) => signal.addEventListener('abort', () => fail(signal.reason), { once: true }));

const redirects = new Set([301, 302, 303, 307, 308]);
const max_redirects = 3;

/** Public addresses and the ports of the web: the proxy is no way to reach mail servers or the like. */
const ofTheWeb = (address: string, port: number): boolean =>
  isPublic(address) && (port === 80 || port === 443);

/**
 * Asks for `address` over http or https. Every name is resolved here, every address it has is checked, and the
 * connection goes to a checked address, so a name cannot change its mind in between; the same for up to three
 * redirects. Throws `NoImage` for anything else than a 200. `signal` ends all of it, the body included.
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
