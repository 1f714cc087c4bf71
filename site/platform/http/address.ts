import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import proxyAddress from 'proxy-addr';

type Head = Pick<IncomingMessage, 'headers' | 'socket'>;

/**
 * Makes the function that returns a request's client address: the socket's, or the one that the proxies listed in
 * TRUST_PROXY (addresses, ranges, `loopback`, `linklocal`, `uniquelocal`, comma separated) put in X-Forwarded-For.
 * Sockets without an address (unix sockets) count as loopback. Throws a TypeError for a list that cannot be parsed.
 * Source: design §4.14.
 */
export function addressReader(trustProxy: string): (incoming: Head | undefined) => string {
  const trusted = proxyAddress.compile(
    trustProxy
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  );
  return (incoming) => {
    if (!incoming?.socket) return loopback;
    if (trustProxy === '') return plain(incoming.socket.remoteAddress ?? loopback);
    const socket = { remoteAddress: incoming.socket.remoteAddress ?? loopback };
    return plain(proxyAddress({ ...incoming, headers: incoming.headers, socket } as never, trusted));
  };
}

/**
 * Logs one warning, and calls `onFound` once, when TRUST_PROXY is empty and a proxy on this machine or in a private network
 * forwards requests, as in containers: then all clients count as one address, share one rate limit, and may read /metrics.
 */
export function warnOfUntrustedProxy(
  trustProxy: string,
  log: Pick<Logger, 'warn'>,
  onFound: (address: string) => void = () => {},
): (incoming: Head) => void {
  let done = trustProxy !== '';
  return ({ headers, socket }) => {
    if (done || headers['x-forwarded-for'] === undefined) return;
    const address = plain(socket.remoteAddress ?? loopback);
    if (!ipaddr.isValid(address) || !near.has(ipaddr.process(address).range())) return;
    done = true;
    log.warn(
      { address },
      'A proxy forwards requests, but TRUST_PROXY is empty: all clients share one rate limit. Set TRUST_PROXY to its address',
    );
    onFound(address);
  };
}

/** Where a proxy of the operator is: nobody on the internet has such an address. */
const near: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
]);

const loopback = '127.0.0.1';
const plain = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
