import { z } from 'zod';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import {
  editPreferences,
  preferenceEditShape,
  preferencesOf,
  preferencesShape,
} from '#db/platform/people/preferences.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { type Actor, whyNotSetPreferences } from '#db/platform/people/rules.ts';
import type { ReadContext } from '#db/platform/read-context.ts';
import { authenticatedRoute } from '../platform/route/endpoint.ts';
import type { Api } from '../platform/route/types.ts';

const params = z.object({ id: z.string() });
const path = '/user/{id}/preferences';
const tag = 'users';

/** Preferences of a user. Source: api-v3 §3.7. */
export function preferenceRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path,
    summary: 'The preferences of a user; all groups, with defaults',
    tag,
    needs: ['USER_READ'],
    params,
    answer: preferencesShape,
    handle: async ({ sql, services, params, actor }) =>
      await preferencesOf(sql, actor, await idOf(services, params.id, actor)),
  });

  authenticatedRoute(api, {
    method: 'patch',
    path,
    summary: 'Change preferences; absent ones keep their values',
    tag,
    needs: ['USER_WRITE'],
    params,
    body: preferenceEditShape,
    handle: async ({ services, params, body, actor, begin }) => {
      const id = await idOf(services, params.id, actor);
      await begin(async (tx) => await editPreferences(tx, actor, id, body));
      return undefined;
    },
  });
}

async function idOf(services: ReadContext, idOrName: string, actor: Actor): Promise<string> {
  const user = await userByIdOrName(services, idOrName);
  if (!user) throw new Refused('not_found');
  assertAllowed(whyNotSetPreferences(user, actor));
  return user.id;
}
