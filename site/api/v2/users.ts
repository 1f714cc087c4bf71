import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { currentUser, userByIdOrName, userFor, usersByIdsOrNames } from '#db/people/read.ts';
import { userShape } from '#db/people/shape.ts';
import { refsOfUser } from '#db/projects/of-user.ts';
import { rowsInOrder } from '#db/projects/pages.ts';
import { projectOf } from '#db/projects/row.ts';
import { projectShape } from '#db/projects/shape.ts';
import { mapped } from '#db/runtime/pages.ts';
import { authenticatedRoute, jsonText, publicRoute } from '../route/endpoint.ts';
import type { Api } from '../route/types.ts';
import { streamedArray } from '../streamed.ts';

const params = z.object({ id: z.string() });

/** Reading users. Source: api-v2 §7. */
export function userRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'get',
    path: '/user',
    summary: 'The user the token belongs to',
    tag: 'users',
    needs: ['USER_READ'],
    answer: userShape,
    handle: async ({ services, actor }) => await currentUser(services, actor),
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}',
    summary: 'A user by id or name',
    tag: 'users',
    params,
    answer: userShape,
    handle: async ({ services, params, actor }) => {
      const user = await userFor(services, params.id, actor);
      if (!user) throw new Refused('not_found');
      return user;
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/user/{id}/projects',
    summary: 'The projects of a user, most downloaded first',
    tag: 'users',
    params,
    reads: ['PROJECT_READ'],
    answer: z.array(projectShape),
    handle: async ({ sql, services, params, actor }) => {
      const user = await userByIdOrName(services, params.id);
      if (!user) throw new Refused('not_found');
      const refs = await refsOfUser(sql, user.id, actor);
      return await streamedArray(
        projectShape,
        mapped(rowsInOrder(sql, refs), (row) => projectOf(services.settings, row)),
      );
    },
  });

  publicRoute(api, {
    method: 'get',
    path: '/users',
    summary: 'Users by ids or names',
    tag: 'users',
    query: z.object({ ids: jsonText(z.array(z.string()).max(2000)) }),
    answer: z.array(userShape),
    handle: async ({ services, query }) => await usersByIdsOrNames(services, query.ids),
  });
}
