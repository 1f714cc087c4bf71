import { z } from 'zod';
import { followUser, unfollowUser } from '#db/catalogue/follows/people.ts';
import { idShape } from '#db/platform/shape.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const params = z.object({ id: idShape });

/** Following people: the button of their profile. */
export function followUserRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/user/{id}/follow',
    summary: 'Follow a person',
    tag: 'internal',
    params,
    needs: ['USER_WRITE'],
    async handle({ params: { id }, actor, begin, now }) {
      await begin((tx) => followUser(tx, actor, id, now));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/user/{id}/follow',
    summary: 'Unfollow a person',
    tag: 'internal',
    params,
    needs: ['USER_WRITE'],
    async handle({ params: { id }, actor, begin }) {
      await begin((tx) => unfollowUser(tx, actor, id));
      return undefined;
    },
  });
}
