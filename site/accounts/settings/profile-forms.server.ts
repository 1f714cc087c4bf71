import { z } from 'zod';
import { setAvatar, setBanner } from '#db/accounts/account/avatar.ts';
import { editUser, lockUser } from '#db/accounts/account/edit.ts';
import type { Db } from '#db/platform/postgres/sql.ts';
import { httpsUrl, linesText } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import { bannerFormRoute, definePictureForm, pictureFormRoute } from '../../platform/route/picture-form.ts';
import type { Api } from '../../platform/route/types.ts';

export const max_bio = 160;

/** The fields for links to where else somebody is found; empty ones are none. */
export const linkFields = ['link_1', 'link_2', 'link_3'] as const;
const link = z.union([z.literal(''), httpsUrl]).default('');

export const profileForm = defineForm({
  action: '/_internal/profile',
  shape: z.object({
    username: z.string().trim().min(1).max(39),
    bio: linesText(0, max_bio),
    link_1: link,
    link_2: link,
    link_3: link,
  }),
  fields: ['username', 'bio', ...linkFields],
  invalid: {
    bio: 'profile_settings.bio_invalid',
    ...{ link_1: 'form.invalid_url', link_2: 'form.invalid_url', link_3: 'form.invalid_url' },
  },
  errors: { username_taken: 'username', username_confusable: 'username', username_malformed: 'username' },
});

export const avatarForm = definePictureForm('/_internal/profile/picture');

export const bannerForm = definePictureForm('/_internal/profile/banner');

const page = '/settings/profile';

/** The forms of `/settings/profile`. */
export function profileRoutes(api: Api, { sql, storage, ...services }: AppServices): void {
  const begin = async <T>(work: (tx: Db) => Promise<T>) => (await sql.begin(work)) as T;
  formRoute(api, profileForm, {
    needs: ['USER_WRITE'],
    page,
    async run({ actor, fields: { username, bio, ...typed }, now }) {
      const links = linkFields.map((field) => typed[field]).filter((url) => url !== '');
      const previous = await sql.begin(async (tx) => {
        const before = await lockUser(tx, actor, actor.user_id);
        await editUser(
          tx,
          actor,
          actor.user_id,
          { username, bio: bio === '' ? null : bio, badges: null, links },
          now,
        );
        const former = linkFields.map((field, place) => [field, before.links[place] ?? '']);
        return { username: before.username, bio: before.bio ?? '', ...Object.fromEntries(former) };
      });
      return { to: `${page}?saved=1`, previous };
    },
  });

  pictureFormRoute(api, avatarForm, {
    needs: ['USER_WRITE'],
    page: () => page,
    set: (actor, _id, image) =>
      setAvatar(begin, storage, { actor, user_id: actor.user_id, now: services.now() }, image),
  });

  bannerFormRoute(api, bannerForm, {
    needs: ['USER_WRITE'],
    page: () => page,
    set: (actor, _id, image) =>
      setBanner(begin, storage, { actor, user_id: actor.user_id, now: services.now() }, image),
  });
}
