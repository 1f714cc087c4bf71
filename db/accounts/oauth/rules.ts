import type { RefusalCode } from '../../platform/errors.ts';
import { type Actor, isModerator } from '../../platform/people/rules.ts';
import { type Scope, scopeBits, unrestrictedScopes } from '../../platform/people/scopes/rules.ts';

/** How many apps a user may have. */
export const max_clients = 50;
/** How many redirect addresses an app may have. */
export const max_redirect_uris = 20;
/** How long an access token lives, in seconds. Source: api-v3 §3.11. */
export const token_lifetime_s = 1_209_600;

/** The person who made an app, and moderators, change it. Source: api-v3 §3.11. */
export const whyNotEditClient = ({ created_by }: { created_by: string }, actor: Actor): RefusalCode | null =>
  created_by === actor.user_id || isModerator(actor) ? null : 'not_yours';

/** A new secret is for the person who made the app alone: whoever knows it acts as the app. */
export const whyNotRotateSecret = (
  { created_by }: { created_by: string },
  actor: Actor,
): RefusalCode | null => (created_by === actor.user_id ? null : 'not_yours');

/** The apps of a user are listed for the user themselves and for admins. Source: api-v3 §3.7. */
export const whyNotListClients = ({ id }: { id: string }, actor: Actor): RefusalCode | null =>
  actor.user_id === id || actor.role === 'admin' ? null : 'not_yours';

/** An app may ask for nothing that only a session may. Source: api-v3 §3.11. */
export const whyNotScopes = (scopes: Iterable<Scope>): RefusalCode | null =>
  [...scopes].every((scope) => unrestrictedScopes.includes(scope)) ? null : 'scope_restricted';

const loopback_ips = ['127.0.0.1', '[::1]'];

/**
 * Why `text` may be no redirect address, or null. It is an https address, an http address of the own device, or a scheme
 * of an app's own with a dot (`com.example.app:/back`). Without a fragment, user information, wildcards or white space, so
 * that it can be compared exactly. Source: RFC 6749 §3.1.2; RFC 8252 §7; RFC 9700 §2.1.
 */
export function whyNotRedirectUri(text: string): RefusalCode | null {
  const wrong = 'redirect_uri_invalid';
  if (!/^[a-zA-Z][a-zA-Z0-9+.-]*:[\x21-\x7e]+$/.test(text) || /[#\\*]/.test(text)) return wrong;
  if (!URL.canParse(text)) return wrong;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '' || /^[^/]*\/\/[^/?]*@/.test(text)) return wrong;
  if (protocol === 'https:') return text.toLowerCase().startsWith('https://') ? null : wrong;
  if (protocol === 'http:') {
    if (!text.toLowerCase().startsWith('http://')) return wrong;
    return [...loopback_ips, 'localhost'].includes(hostname) ? null : wrong;
  }
  return protocol.includes('.') ? null : wrong;
}

/**
 * Whether a redirect address is the registered one: character by character. A registered http address of a loopback IP
 * without a port stands for every port, because programs on a device get theirs when they start. Source: RFC 8252 §7.3.
 */
export function isRedirectUri(registered: string, given: string): boolean {
  if (registered === given) return true;
  const parts = /^http:\/\/(127\.0\.0\.1|\[::1\])([/?].*|)$/.exec(registered);
  const asked = /^http:\/\/(127\.0\.0\.1|\[::1\]):([1-9]\d{0,4})([/?].*|)$/.exec(given);
  if (!parts || !asked || Number(asked[2]) > 65_535) return false;
  return parts[1] === asked[1] && parts[2] === asked[3];
}

/**
 * The scopes of a request, as names separated by space, `+` or `%20`; null when a name is unknown. Nothing given stands
 * for all that the app may ask for. Source: api-v3 §3.11.
 */
export function scopesOfText(text: string | null, all: ReadonlySet<Scope>): Set<Scope> | null {
  const names = (text ?? '').split(/\s+|\+|%20/).filter((name) => name !== '');
  if (names.length === 0) return new Set(all);
  return names.every((name) => Object.hasOwn(scopeBits, name)) ? new Set(names as Scope[]) : null;
}

/**
 * Whether an app that was authorized before is led back without asking again. Never one without a secret: any program
 * can pose as it. Source: RFC 8252 §8.6.
 */
export const isForwarded = ({ is_public }: { is_public: boolean }): boolean => !is_public;

/** Whether `text` can be a code challenge of the method S256. Source: RFC 7636 §4.2. */
export const isChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** `uri` with more parameters, encoded, after those that it has. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${uri}${uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'}${text}`;
}
