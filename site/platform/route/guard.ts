import type { Context } from 'hono';
import { assertAllowed, type RefusalCode, Refused } from '#db/platform/errors.ts';
import { type Actor, hasScope } from '#db/platform/people/rules.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';
import { isSameOrigin, sessionCookie } from '../http/cookies.ts';
import { authenticate } from './authenticate.ts';
import type { ApiEnv } from './types.ts';

/** The scopes that a token must carry: one at least, so that no signed-in route is open to every token. */
export type Scopes = readonly [Scope, ...Scope[]];

/**
 * Who may call: anyone, whoever is signed in with any token (where the public API asks for no scope and nothing of the person
 * but numbers is answered), or with these scopes. A rule refuses some of them before the work; it never
 * stands alone, because what it reads of an account says nothing about the token.
 */
export type Needs =
  | 'anyone'
  | 'any token'
  | Scopes
  | { scopes: Scopes; rule(actor: Actor): RefusalCode | null };

/** Who calls a route with such needs: nobody in particular where anyone may. */
export type ActorOf<N extends Needs> = N extends 'anyone' ? null : Actor;

/**
 * The caller of a route, when `needs` lets them call it; null where anyone may. Refuses what a rule says,
 * `authentication_required`, `scope_missing`, and as `authenticate` does.
 */
export async function authorize<N extends Needs>(
  c: Context<ApiEnv>,
  needs: N,
  now: Date,
): Promise<ActorOf<N>> {
  if (needs === 'anyone') return null as ActorOf<N>;
  const actor = await authenticate(c, now);
  if (!actor) throw new Refused('authentication_required');
  const { scopes, rule } = demandsOf(needs as Exclude<Needs, 'anyone'>);
  const missing = scopes.find((scope) => !hasScope(actor, scope));
  if (missing) throw new Refused('scope_missing', { scope: missing });
  if (rule) assertAllowed(rule(actor));
  return actor as ActorOf<N>;
}

interface Demands {
  scopes: readonly Scope[];
  rule: ((actor: Actor) => RefusalCode | null) | null;
}
const demandsOf = (needs: Exclude<Needs, 'anyone'>): Demands => {
  if (needs === 'any token') return { scopes: [], rule: null };
  return 'scopes' in needs ? needs : { scopes: needs, rule: null };
};

/**
 * Refuses what no page of ours sent: `cross_site` (CSRF: no other site can sign a user in or out), and `form_with_token`
 * for a request with an Authorization header. Forms are for the session of a browser; tokens and apps have the API, and
 * its demands.
 */
export function assertFromOwnPage(request: Request, siteUrl: string): void {
  if (request.headers.has('authorization')) throw new Refused('form_with_token');
  if (isForeign(request, siteUrl)) throw new Refused('cross_site');
}

/** Whether the browser reports another origin; for a form that changes a session, a missing origin counts as another. */
function isForeign(request: Request, siteUrl: string): boolean {
  const claims = request.headers.has('sec-fetch-site') || request.headers.has('origin');
  return (claims || sessionCookie(request, siteUrl) !== null) && !isSameOrigin(request, siteUrl);
}
