import { z } from 'zod';
import { followUser, unfollowUser } from '#db/catalogue/follows/people.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const unfollowUserForm = defineForm({
  action: '/_internal/unfollow-user',
  shape: z.object({ user: idShape }),
  fields: [],
  errors: {},
});

const params = z.object({ id: idShape });
const page = '/collection/following';

/** Following people: the button of their profile, and the list of those that one follows. */
export function followUserRoutes(api: Api, { sql }: AppServices): void {
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

  formRoute(api, unfollowUserForm, {
    needs: ['USER_WRITE'],
    page,
    async run({ actor, fields: { user } }) {
      await sql.begin((tx) => unfollowUser(tx, actor, user));
      return { to: page };
    },
  });
}
