import { parseCookie, stringifySetCookie } from 'cookie';

/** The cookies of the site. Source: specification §9 (Cookies); design §4.7. */

const max_age_s = 400 * 86_400; // the longest lifetime that browsers allow

/** The cookie `name` of a request, decoded, or null. */
export const cookie = (request: Request, name: string): string | null =>
  parseCookie(request.headers.get('cookie') ?? '')[name] ?? null;

/**
 * The name of the session cookie. On https the prefix `__Host-` keeps other hosts of our domain from setting it, so there the
 * plain name is not read: who could set that one could sign others in to an account of theirs.
 */
const hostName = '__Host-auth-token';
const plainName = 'auth-token';
const sessionName = (siteUrl: string): string => (siteUrl.startsWith('https:') ? hostName : plainName);

/** The value of a request's session cookie, unchecked; null without one. */
export const sessionCookie = (request: Request, siteUrl: string): string | null =>
  cookie(request, sessionName(siteUrl));

/**
 * The session token of the session cookie, or null when the request may not use it: it is cross-site, or it is a write
 * without a stated origin. Following a link to a page counts as same-origin.
 */
export function cookieToken(request: Request, siteUrl: string): string | null {
  const token = sessionCookie(request, siteUrl);
  return token?.startsWith('mra_') && isSameOrigin(request, siteUrl) ? token : null;
}

/** Whether a browser sent the request from one of our own pages, by Sec-Fetch-Site, else by Origin. */
export function isSameOrigin(request: Request, siteUrl: string): boolean {
  const reading = request.method === 'GET' || request.method === 'HEAD';
  const { headers } = request;
  const site = headers.get('sec-fetch-site');
  if (site) {
    const followed =
      headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document';
    return site === 'same-origin' || site === 'none' || (reading && followed);
  }
  const origin = headers.get('origin');
  if (origin === null) return reading;
  return origin === new URL(siteUrl).origin || origin.replace(/^https?:\/\//, '') === headers.get('host');
}

const common = (siteUrl: string, maxAge: number) => ({
  path: '/',
  sameSite: 'lax' as const,
  secure: siteUrl.startsWith('https:'),
  maxAge,
});

/**
 * Set-Cookie values that store the session token as HttpOnly; null deletes the cookie. On https the plain name is deleted, too: it
 * was the cookie's name once.
 */
export function authCookies(token: string | null, siteUrl: string): string[] {
  const text = (name: string, value: string | null) =>
    stringifySetCookie({
      name,
      value: value ?? '',
      httpOnly: true,
      ...common(siteUrl, value === null ? 0 : max_age_s),
    });
  return siteUrl.startsWith('https:')
    ? [text(hostName, token), text(plainName, null)]
    : [text(plainName, token)];
}

/** How long a step of an account waits for its next request: as long as its flow. */
const step_s = 30 * 60;

/**
 * What an account step of our own pages is known by between two requests: `sign-in` waits for a second factor, `account` for
 * the set-up of one. The secret stays out of addresses, which histories and logs keep.
 */
export type StepName = 'sign-in' | 'account';
const stepName = (step: StepName, siteUrl: string): string =>
  siteUrl.startsWith('https:') ? `__Host-${step}-step` : `${step}-step`;

/** The secret of the step that the browser is in; null without one. */
export const stepSecret = (request: Request, step: StepName, siteUrl: string): string | null =>
  cookie(request, stepName(step, siteUrl));

/** The Set-Cookie value that begins a step, or ends it with null. No script reads it. */
export const stepCookie = (step: StepName, secret: string | null, siteUrl: string): string =>
  stringifySetCookie({
    name: stepName(step, siteUrl),
    value: secret ?? '',
    httpOnly: true,
    ...common(siteUrl, secret === null ? 0 : step_s),
  });
