import { stringifySetCookie } from 'cookie';
import { randomText } from '#db/platform/id.ts';
import { cookie } from './cookies.ts';

/**
 * Short-lived HttpOnly cookies of signing in by a provider. On https the prefix `__Host-` keeps other hosts of our domain
 * from setting them.
 */
const lifetimes_s = {
  /** Names this browser, so that a sign-in ends where it began. */
  'sign-in': 30 * 60,
  /** The state of an account that is being created. */
  'new-account': 10 * 60,
  /** The hash of a session token on its way back to a page of ours. */
  'sign-in-return': 10 * 60,
} as const;
type Name = keyof typeof lifetimes_s;

const fullName = (name: Name, siteUrl: string): string =>
  siteUrl.startsWith('https:') ? `__Host-${name}` : name;

/** The value of a request's cookie `name`, or null. */
export const signInCookie = (request: Request, name: Name, siteUrl: string): string | null =>
  cookie(request, fullName(name, siteUrl));

/** The Set-Cookie value of the cookie `name`; null deletes it. */
export const setSignInCookie = (name: Name, value: string | null, siteUrl: string): string =>
  stringifySetCookie({
    name: fullName(name, siteUrl),
    value: value ?? '',
    httpOnly: true,
    path: '/',
    sameSite: 'lax',
    secure: siteUrl.startsWith('https:'),
    maxAge: value === null ? 0 : lifetimes_s[name],
  });

/** What names the browser of `request`; several sign-ins at once share it. */
export function browserOf(request: Request, siteUrl: string): string {
  const known = signInCookie(request, 'sign-in', siteUrl);
  return known && /^[A-Za-z0-9]{40}$/.test(known) ? known : randomText(40);
}
