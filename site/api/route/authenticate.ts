import type { Context } from 'hono';
import { actorOf } from '#db/people/read.ts';
import type { Actor } from '#db/people/rules.ts';
import { cookieToken } from '../../http/cookies.ts';
import type { ApiEnv } from './types.ts';

/**
 * The caller: by the token of the Authorization header (an optional `Bearer ` is dropped), else by the session cookie
 * when the request is same-origin; cross-site requests count as anonymous. Refuses `token_invalid` and
 * `token_kind_unknown`. Source: api-v2 §1.6; design §4.7.
 */
export async function authenticate(c: Context<ApiEnv>, now: Date): Promise<Actor | null> {
  const services = c.get('services');
  const header = c.req.header('authorization');
  if (header) return await actorOf(services, header.replace(/^Bearer /i, '').trim(), now);
  const token = cookieToken(c.req.raw, services.settings.SITE_URL);
  return token ? await actorOf(services, token, now) : null;
}
