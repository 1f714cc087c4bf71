import { z } from 'zod';
import { refsOfUser } from '#db/catalogue/projects/of-user.ts';
import { rowsInOrder } from '#db/catalogue/projects/pages.ts';
import { projectOf } from '#db/catalogue/projects/row.ts';
import { projectShape } from '#db/catalogue/projects/shape.ts';
import { Refused } from '#db/platform/errors.ts';
import { currentUser, userByIdOrName, userFor, usersByIdsOrNames } from '#db/platform/people/read.ts';
import { userShape } from '#db/platform/people/shape.ts';
import { mapped } from '#db/platform/runtime/pages.ts';
import { authenticatedRoute, jsonText, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';
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
