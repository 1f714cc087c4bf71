import { type OpenRequest, openRequest } from '#db/accounts/oauth/authorize.ts';
import { type RefusalCode, Refused } from '#db/platform/errors.ts';
import { currentUser, userByIdOrName } from '#db/platform/people/read.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { User } from '#db/platform/people/shape.ts';
import type { AppServices } from '../../platform/context.ts';

/** What `/auth/authorize` shows: the question, where to go, or why there is no question. */
export type Question =
  | { kind: 'ask'; request: OpenRequest; user: User; owner: string }
  | { kind: 'leave'; to: string }
  | { kind: 'refused'; code: RefusalCode; problem: string };

/** Takes what an app asks in the address of the page. Nothing leads to an address that is not the app's. */
export async function loadQuestion(
  services: AppServices,
  actor: Actor,
  query: URLSearchParams,
  now: Date,
): Promise<Question> {
  try {
    const asked = await services.sql.begin((sql) => openRequest({ ...services, sql }, actor, query, now));
    if ('to' in asked) return { kind: 'leave', to: asked.to };
    const [user, owner] = await Promise.all([
      currentUser(services, actor),
      userByIdOrName(services, asked.client.created_by),
    ]);
    return { kind: 'ask', request: asked, user, owner: owner?.username ?? '' };
  } catch (error) {
    // a screen of its own says that the app has to correct it
    if (!(error instanceof Refused) || !error.code.startsWith('oauth_')) throw error;
    return { kind: 'refused', code: error.code, problem: String(error.data.problem ?? '') };
  }
}
