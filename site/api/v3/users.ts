import { z } from 'zod';
import { refsOfUser } from '#db/catalogue/projects/of-user.ts';
import { rowsInOrder } from '#db/catalogue/projects/pages.ts';
import { projectOf } from '#db/catalogue/projects/row.ts';
import { notesOfUsers } from '#db/moderation/moderation-notes/read.ts';
import { assertAllowed, Refused } from '#db/platform/errors.ts';
import {
  type Account,
  accountByEmail,
  accountFor,
  currentAccount,
  userByIdOrName,
  usersByIdsOrNames,
} from '#db/platform/people/read.ts';
import { type Actor, isModerator, readerWith, whyNotFindByEmail } from '#db/platform/people/rules.ts';
import { searchUsers } from '#db/platform/people/search.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { authenticatedRoute, jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
import { streamedArray } from '../streamed.ts';
import { projectV3 } from './mapping.ts';
import { projectV3Shape } from './project-shape.ts';
import { type UserV3, userV3Of, userV3Shape } from './user-shape.ts';

const params = z.object({ id: z.string() });
const tag = 'users';
type ProjectV3 = z.input<typeof projectV3Shape>;

export const foundUserShape = z.object({
  id: z.string(),
  username: z.string(),
  avatar_url: z.string().nullable(),
});

/** Reading users in v3. Source: api-v3 §3.7. */
export function userRoutesV3(api: Api): void {
  lookUps(api);
  single(api);
}

function lookUps(api: Api): void {
  publicRoute(api, {
    method: 'get',
    path: '/users',
    summary: 'Users by ids or names; unknown ones are left out',
    tag,
    query: z.object({ ids: jsonText(z.array(z.string()).max(2000)) }),
    answer: z.array(userV3Shape),
    handle: async ({ services, query }) =>
      (await usersByIdsOrNames(services, query.ids)).map((user) => userV3Of(user)),
  });

  publicRoute(api, {
    method: 'get',
    path: '/users/search',
    summary: 'At most 25 users whose name begins with a text, the exact name first',
    tag,
    query: z.object({ query: z.string().max(256) }),
    answer: z.array(foundUserShape),
    handle: async ({ services, query }) => await searchUsers(services, query.query),
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/user_email',
    summary: 'The user with this e-mail address; for administrators',
    tag,
    needs: ['SESSION_ACCESS'],
    query: z.object({ email: z.string().max(512) }),
    answer: userV3Shape,
    handle: async ({ sql, services, query, actor }) => {
      assertAllowed(whyNotFindByEmail(actor));
      return await displayed(sql, await accountByEmail(services, query.email, actor), actor);
    },
  });
}

function single(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/user',
    summary: 'The user the token belongs to',
    tag,
    needs: ['USER_READ'],
    answer: userV3Shape,
    handle: async ({ sql, services, actor }) =>
      await displayed(sql, await currentAccount(services, actor), actor),
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}',
    summary: 'A user by id or name; moderators also see their notes',
    tag,
    params,
    answer: userV3Shape,
    handle: async ({ sql, services, params, actor }) =>
      await displayed(sql, await accountFor(services, params.id, actor), actor),
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}/projects',
    summary: 'The projects of a user, most downloaded first',
    tag,
    params,
    reads: ['PROJECT_READ'],
    answer: z.array(projectV3Shape),
    handle: async ({ sql, services: { settings }, services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      const rows = rowsInOrder(sql, await refsOfUser(sql, user.id, actor));
      const shown = mapped(rows, (row) => projectV3(projectOf(settings, row), row) as ProjectV3);
      return await streamedArray(projectV3Shape, shown);
    },
  });
}

/** The account as the viewer sees it, for moderators with the notes about it. Refuses `not_found`. */
async function displayed(sql: Db, account: Account | null, viewer: Actor | null): Promise<UserV3> {
  if (!account) throw new Refused('not_found');
  const { user, allow_friend_requests } = account;
  const sees_notes = isModerator(readerWith(viewer, 'USER_READ'));
  const notes = sees_notes ? await notesOfUsers(sql, [user.id]) : null;
  return userV3Of(user, {
    allow_friend_requests,
    moderation_notes: notes ? (notes.get(user.id) ?? null) : undefined,
  });
}
