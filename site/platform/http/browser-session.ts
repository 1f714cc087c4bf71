import { Refused } from '#db/platform/errors.ts';
import { actorOf } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { renewBrowserSession } from '#db/platform/people/session-renewal.ts';
import type { AppServices } from '../context.ts';
import { authCookies, cookieToken } from './cookies.ts';

/** Who a browser's session cookie names, and the cookies to answer with. */
export interface BrowserSession {
  actor: Actor | null;
  cookies: string[];
}

/**
 * The user of a request's session cookie. A session that no longer signs in is refreshed once, and the new token stored in
 * the cookie; where that fails the cookie is deleted. Source: specification §4 (Session).
 */
export async function browserSession(
  request: Request,
  services: AppServices,
  now: Date,
): Promise<BrowserSession> {
  const { SITE_URL } = services.settings;
  const token = cookieToken(request, SITE_URL);
  if (!token) return { actor: null, cookies: [] };
  const actor = await validActor(services, token, now);
  if (actor) return { actor, cookies: [] };
  const renewed = (await services.sql.begin((tx) => renewBrowserSession(tx, services.sealer, token, now))) as
    | string
    | null;
  const again = renewed && (await validActor(services, renewed, now));
  return again
    ? { actor: again, cookies: authCookies(renewed, SITE_URL) }
    : { actor: null, cookies: authCookies(null, SITE_URL) };
}

/** The user of a token, or null when it is not valid (any more). */
async function validActor(services: AppServices, token: string, now: Date): Promise<Actor | null> {
  try {
    return await actorOf(services, token, now);
  } catch (error) {
    if (error instanceof Refused && error.code === 'token_invalid') return null;
    throw error;
  }
}
