import { type RefusalCode, Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';

/** Why somebody may not see a page, or null. */
export type PageRule = (actor: Actor | null) => RefusalCode | null;

/** The part of a page that access is decided by. */
export interface GuardedPage {
  locals: Pick<App.Locals, 'currentActor'>;
}

/**
 * Who looks at a page that is not for everybody. Without a rule it is for whoever is signed in: refuses
 * `authentication_required`, which the middleware turns into signing in and coming back. With a rule, a page that the
 * rule refuses is not there: refuses `not_found`, for visitors too, so that nobody learns of it.
 */
export async function requireActor({ locals }: GuardedPage, rule?: PageRule): Promise<Actor> {
  const actor = await locals.currentActor();
  if (rule && (!actor || rule(actor) !== null)) throw new Refused('not_found');
  if (!actor) throw new Refused('authentication_required');
  return actor;
}
