import type { IncomingMessage, ServerResponse } from 'node:http';
import { Refused } from '#db/platform/errors.ts';
import { actorOf } from '#db/platform/people/read.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import type { AppServices } from '../context.ts';
import { authCookies } from './cookies.ts';
import { setSignInCookie, signInCookie } from './sign-in-cookies.ts';

const welcome = '/auth/welcome';

/**
 * Answers requests of pages that come back from signing in, before any cache: takes a session token out of the address
 * (`code`, on the welcome page `authToken`) and stores it in the cookie, and leads new accounts (`new_account=true`) to the
 * welcome page. A token counts only in the browser whose sign-in made it, so that nobody can be signed in to the account of
 * somebody else by a link. Gives whether it answered. Source: specification §4 (Session).
 */
export function signInReturn(
  services: AppServices,
): (req: IncomingMessage, res: ServerResponse) => Promise<boolean> {
  const { SITE_URL } = services.settings;
  return async (req, res) => {
    const { url = '/', method } = req;
    if (!url.includes('?') || !/[?&](code|authToken)=mra_|[?&]new_account=true/.test(url)) return false;
    if (method !== 'GET') return false;
    const at = new URL(url, SITE_URL);
    const query = at.searchParams;
    const key = at.pathname === welcome && query.has('authToken') ? 'authToken' : 'code';
    const token = query.get(key);
    const comesBack = token?.startsWith('mra_') ?? false;
    const isNew = query.get('new_account') === 'true' && at.pathname !== welcome;
    if (!comesBack && !isNew) return false;
    if (comesBack) query.delete(key);
    if (isNew) query.delete('new_account');
    const headers = new Headers();
    for (const [name, value] of Object.entries(req.headers)) headers.set(name, String(value));
    const request = new Request(at, { headers });
    const cookies = comesBack ? await adopted(request, token!) : [];
    const path = `${at.pathname}${at.search}`;
    res
      .writeHead(303, {
        location: isNew ? `${welcome}?${new URLSearchParams({ redirect: path })}` : path,
        'cache-control': 'private, no-store',
        'referrer-policy': 'no-referrer',
        ...(cookies.length > 0 && { 'set-cookie': cookies }),
      })
      .end();
    return true;
  };

  /** The cookies that sign this browser in with `token`; none when it is not valid, or was made elsewhere. */
  async function adopted(request: Request, token: string): Promise<string[]> {
    if (signInCookie(request, 'sign-in-return', SITE_URL) !== hashToken(token)) return [];
    try {
      await actorOf(services, token, services.now());
    } catch (error) {
      if (error instanceof Refused) return [];
      throw error;
    }
    return [...authCookies(token, SITE_URL), setSignInCookie('sign-in-return', null, SITE_URL)];
  }
}
