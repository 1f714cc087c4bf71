import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import ipaddr from 'ipaddr.js';
import type { Namespace, Socket } from 'socket.io';
import { Refused } from '#db/platform/errors.ts';
import { actorOf } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { PlaneContext } from '../context.ts';
import { errorAck } from './handle.ts';
import { type ConnectionCounter, limits } from './limits.ts';

/** What a socket presents at its handshake. */
export interface Handshake {
  headers: IncomingHttpHeaders;
  auth: Record<string, unknown>;
  /** Of the connection; '' on a unix socket. */
  address: string;
}

/** Who is behind an admitted socket. */
export interface Caller {
  token: string;
  locale: string;
  actor: Actor;
  address: string;
}

export const handshakeOf = ({ handshake }: Pick<Socket, 'handshake'>): Handshake => ({
  headers: handshake.headers,
  auth: handshake.auth,
  address: handshake.address ?? '',
});

/** The caller of a socket that `requireUser` admitted. */
export const callerOf = (socket: Pick<Socket, 'data'>): Caller => socket.data.caller as Caller;

/**
 * The token of a socket: `auth.token`, else the session cookie when the page that opened the socket is one of ours.
 * Refuses `authentication_required`, and `cross_site` for a cookie that another site's page brought along. Source: hosting §5.2.
 */
export function tokenOf({ headers, auth }: Handshake, siteUrl: string): string {
  if (typeof auth.token === 'string' && auth.token !== '') return auth.token.replace(/^Bearer /i, '').trim();
  // another host of our domain can set the plain name, which is used without TLS only
  const name = siteUrl.startsWith('https:') ? '__Host-auth-token' : 'auth-token';
  const token = parseCookie(headers.cookie ?? '')[name];
  if (!token?.startsWith('mra_')) throw new Refused('authentication_required');
  if (!isOurs(headers, siteUrl)) throw new Refused('cross_site');
  return token;
}

/** Browsers always send which page opens a socket: ours has the site's address, or the host of the request itself. */
function isOurs({ origin, host }: IncomingHttpHeaders, siteUrl: string): boolean {
  return (
    origin !== undefined &&
    (origin === new URL(siteUrl).origin || origin.replace(/^https?:\/\//, '') === host)
  );
}

/** The owner of a token, read from the database each time. Refuses `token_invalid` and `token_kind_unknown`. */
export const authenticate = (
  context: Pick<PlaneContext, 'sql' | 'lastUsed' | 'now'>,
  token: string,
): Promise<Actor> => actorOf(context, token, context.now());

/**
 * The client's address: what our own site forwards when it proxied the socket (over a unix socket or from an address of
 * this machine or network), else the connection's address.
 */
export function addressOf({ headers, address }: Handshake): string {
  const forwarded = headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim();
  return last && isPrivateNetwork(address) ? last : address;
}

function isPrivateNetwork(address: string): boolean {
  if (!ipaddr.isValid(address)) return address === '' || address === 'undefined';
  const range = ipaddr.process(address).range();
  return range === 'loopback' || range === 'private' || range === 'uniqueLocal';
}

interface Admission {
  /** Throws `too_fast` when too many handshakes come from one address. */
  checkHandshakeRate(handshake: Handshake): void;
  connections: ConnectionCounter;
}

/** Admits users with a cookie or token to a namespace. Refuses `connections_too_many` besides. Source: hosting §5.2. */
export function requireUser(
  context: PlaneContext,
  namespace: Namespace,
  { checkHandshakeRate, connections }: Admission,
): void {
  const { settings, log } = context;
  namespace.use((socket, next) => {
    const handshake = handshakeOf(socket);
    const locale = localeOf(handshake.auth);
    const authenticated = async () => {
      checkHandshakeRate(handshake);
      context.membership.assertHeld();
      const token = tokenOf(handshake, settings.SITE_URL);
      const actor = await authenticate(context, token);
      return { token, locale, actor, address: addressOf(handshake) } satisfies Caller;
    };
    authenticated()
      .then((caller) => {
        if (!countConnection(socket, caller, connections)) throw new Refused('connections_too_many');
        socket.data.caller = caller;
        next();
      })
      .catch((error) => {
        const data = errorAck(error, locale, log, 'handshake');
        next(Object.assign(new Error(data.description), { data }));
      });
  });
}

/** Counts the socket for its user and its address until it ends; false when either has too many. */
function countConnection(socket: Socket, { actor, address }: Caller, counter: ConnectionCounter): boolean {
  const [by_user, by_address] = [`user:${actor.user_id}`, `address:${address}`];
  if (!counter.enter(by_user, limits.sockets_per_user)) return false;
  if (!counter.enter(by_address, limits.sockets_per_address)) {
    counter.leave(by_user);
    return false;
  }
  let counted = true;
  const leave = () => {
    if (!counted) return;
    counted = false;
    counter.leave(by_user);
    counter.leave(by_address);
  };
  // the connection may end before the socket is admitted: its end counts once either way
  socket.conn.once('close', leave);
  socket.once('disconnect', leave);
  return true;
}

const localeOf = (auth: Record<string, unknown>): string =>
  typeof auth.locale === 'string' ? auth.locale.slice(0, 35) : 'en-US';
