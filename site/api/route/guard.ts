import type { Context } from 'hono';
import { assertAllowed, type RefusalCode, Refused } from '#db/errors.ts';
import { type Actor, hasScope, type Scope } from '#db/people/rules.ts';
import { authenticate } from './authenticate.ts';
import type { ApiEnv } from './types.ts';

/** Who may call: anyone, whoever is signed in with these scopes, or whom a rule does not refuse. */
export type Needs = 'anyone' | readonly Scope[] | ((actor: Actor | null) => RefusalCode | null);

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
  if (typeof needs === 'function') assertAllowed(needs(actor));
  if (!actor) throw new Refused('authentication_required');
  const scopes = typeof needs === 'function' ? [] : (needs as readonly Scope[]);
  const missing = scopes.find((scope) => !hasScope(actor, scope));
  if (missing) throw new Refused('scope_missing', { scope: missing });
  return actor as ActorOf<N>;
}
