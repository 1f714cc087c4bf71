import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { displayPath } from '../error-page/error-page.ts';

/** Why a user may not see a page, or null. */
export type PageRule = (actor: Actor | null) => RefusalCode | null;

/** The part of a page that access is decided by. */
export interface GuardedPage {
  locals: Pick<App.Locals, 'currentActor' | 'path'>;
}

/**
 * The current user of a restricted page. Refuses `authentication_required` to visitors, which the middleware turns into a
 * redirect to sign-in and back: staff follow links of mails while they are signed out. With a rule, the page does not exist
 * for users that it refuses: refuses `page_refused`.
 */
export async function requireActor({ locals }: GuardedPage, rule?: PageRule): Promise<Actor> {
  const actor = await locals.currentActor();
  if (!actor) throw new Refused('authentication_required');
  if (rule && rule(actor) !== null) throw new Refused('page_refused', { path: displayPath(locals.path) });
  return actor;
}
