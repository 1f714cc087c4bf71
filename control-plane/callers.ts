import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';
import ipaddr from 'ipaddr.js';
import type { Socket } from 'socket.io';
import { Refused } from '#db/errors.ts';
import { actorOf } from '#db/people/read.ts';
import type { Actor } from '#db/people/rules.ts';
import type { Db } from '#db/sql.ts';

/** What a socket says of itself when it knocks. */
export interface Knock {
  headers: IncomingHttpHeaders;
  auth: Record<string, unknown>;
  /** Of the connection; '' on a unix socket. */
  address: string;
}

export const knockOf = ({ handshake }: Pick<Socket, 'handshake'>): Knock => ({
  headers: handshake.headers,
  auth: handshake.auth,
  address: handshake.address ?? '',
});

/**
 * The token of a socket: `auth.token`, else the session cookie when the page that opened the socket is one of ours.
 * Refuses `authentication_required`, and `cross_site` for a cookie that another site's page brought along. Source: hosting §5.2.
 */
export function tokenOf({ headers, auth }: Knock, siteUrl: string): string {
  if (typeof auth.token === 'string' && auth.token !== '') return auth.token.replace(/^Bearer /i, '').trim();
  const cookies = parseCookie(headers.cookie ?? '');
  const token = cookies['__Host-auth-token'] ?? cookies['auth-token'];
  if (!token?.startsWith('mra_')) throw new Refused('authentication_required');
  if (!isOurs(headers, siteUrl)) throw new Refused('cross_site');
  return token;
}

/** Browsers always say which page opens a socket: ours is the site's address, or the host that was asked itself. */
function isOurs({ origin, host }: IncomingHttpHeaders, siteUrl: string): boolean {
  return (
    origin !== undefined &&
    (origin === new URL(siteUrl).origin || origin.replace(/^https?:\/\//, '') === host)
  );
}

/** Who holds the token, asked of the record each time. Refuses `token_invalid` and `token_kind_unknown`. */
export const actorNow = (db: Db, token: string, now: Date): Promise<Actor> => actorOf(db, token, now);

/**
 * Where the caller sits: what our own site says of it when it passed the socket on (it comes over a unix socket or
 * from this machine's or network's own addresses), else the connection's address.
 */
export function addressOf({ headers, address }: Knock): string {
  const forwarded = headers['x-forwarded-for'];
  const last = (Array.isArray(forwarded) ? forwarded.join(',') : (forwarded ?? '')).split(',').at(-1)?.trim();
  return last && isNear(address) ? last : address;
}

function isNear(address: string): boolean {
  if (!ipaddr.isValid(address)) return address === '' || address === 'undefined';
  const range = ipaddr.process(address).range();
  return range === 'loopback' || range === 'private' || range === 'uniqueLocal';
}
