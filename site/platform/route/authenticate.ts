import type { Context } from 'hono';
import { actorOf } from '#db/platform/people/read.ts';
import { type Actor, credentialOf } from '#db/platform/people/rules.ts';
import type { Settings } from '#db/platform/runtime/env.ts';
import { identify, requester } from '#db/platform/runtime/requester.ts';
import { cookieToken } from '../http/cookies.ts';
import type { ApiEnv } from './types.ts';

/**
 * The caller: by the token of the Authorization header (an optional `Bearer ` is dropped), else by the session cookie
 * when the request is same-origin; cross-site requests count as anonymous. Refuses `token_invalid` and
 * `token_kind_unknown`. Source: api-v2 §1.6; design §4.7.
 */
export async function authenticate(c: Context<ApiEnv>, now: Date): Promise<Actor | null> {
  const services = c.get('services');
  const token = callerToken(c.req.raw, services.settings);
  if (token === null) return null;
  const actor = await actorOf(services, token, now);
  const credential = credentialOf(actor);
  identify(actor.user_id, credential);
  const { network, address = null } = requester() ?? {};
  if (network && credential && !actor.interactive)
    services.securityLog.used(credential, { user_id: actor.user_id, network, address, now });
  return actor;
}

/** The token that `request` was sent with, valid or not; null without one. */
export function callerToken(request: Request, { SITE_URL }: Pick<Settings, 'SITE_URL'>): string | null {
  const header = request.headers.get('authorization');
  return header ? header.replace(/^Bearer /i, '').trim() : cookieToken(request, SITE_URL);
}
