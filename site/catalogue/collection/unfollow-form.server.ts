import { z } from 'zod';
import { unfollowUser } from '#db/catalogue/follows/people.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

export const unfollowUserForm = defineForm({
  action: '/_internal/unfollow-user',
  shape: z.object({ user: idShape }),
  fields: [],
  errors: {},
});

const page = '/collection/following';

/** The list of the people whom one follows. */
export function unfollowForms(api: Api, { sql }: AppServices): void {
  formRoute(api, unfollowUserForm, {
    needs: ['USER_WRITE'],
    page,
    async run({ actor, fields: { user } }) {
      await sql.begin((tx) => unfollowUser(tx, actor, user));
      return { to: page };
    },
  });
}
