import { type RefusalCode, Refused } from '#db/errors.ts';
import type { Actor } from '#db/people/rules.ts';

/** Why a user may not see a page, or null. */
export type PageRule = (actor: Actor | null) => RefusalCode | null;

/** The part of a page that access is decided by. */
export interface GuardedPage {
  locals: Pick<App.Locals, 'currentActor'>;
}

/**
 * The current user of a restricted page. Without a rule every signed-in user may see it: refuses
 * `authentication_required`, which the middleware turns into a redirect to sign-in and back. With a rule, the page does
 * not exist for users that the rule refuses: refuses `not_found`, for anonymous visitors too, to conceal the page.
 */
export async function requireActor({ locals }: GuardedPage, rule?: PageRule): Promise<Actor> {
  const actor = await locals.currentActor();
  if (rule && (!actor || rule(actor) !== null)) throw new Refused('not_found');
  if (!actor) throw new Refused('authentication_required');
  return actor;
}
