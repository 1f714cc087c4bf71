import { z } from 'zod';
import { saveNotificationChoices } from '#db/notifications/choices.ts';
import { type MailTime, mailTimes, notificationTypes } from '#db/notifications/rules.ts';
import { loaders } from '#db/tags/rules.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

/** A check box: sent when it is on. */
const box = z.string().max(10).optional();
const everyType = <S extends z.ZodType>(prefix: string, shape: S) =>
  Object.fromEntries(notificationTypes.map((type) => [`${prefix}_${type}`, shape])) as Record<string, S>;
const everyLoader = Object.fromEntries(loaders.map(({ name }) => [`loader_${name}`, box]));

/** Names between commas or spaces. */
const versionNames = z
  .string()
  .max(2000)
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,،]+/).filter((name) => name !== ''))])
  .pipe(z.array(z.string().regex(/^[\w.+-]{1,64}$/)));

export const notificationChoicesForm = defineForm({
  action: '/_internal/notifications/choices',
  shape: z.object({
    ...everyType('site', box),
    ...everyType('mail', z.enum(mailTimes)),
    ...everyLoader,
    game_versions: versionNames,
  }),
  fields: ['game_versions'],
  errors: {
    game_version_unknown: { field: 'game_versions', text: 'notify.version_unknown' },
    limit_reached: 'game_versions',
  },
});

const page = '/settings/notifications';

/** The form of the settings of notifications. */
export function notificationChoiceRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, notificationChoicesForm, {
    needs: ['USER_WRITE'],
    page,
    async run({ actor, fields }) {
      const given = fields as Record<string, unknown> & { game_versions: string[] };
      const types = Object.fromEntries(
        notificationTypes.map((type) => [
          type,
          { site: given[`site_${type}`] !== undefined, mail: given[`mail_${type}`] as MailTime },
        ]),
      ) as Parameters<typeof saveNotificationChoices>[2]['types'];
      await saveNotificationChoices(sql, actor, {
        types,
        loaders: loaders.flatMap(({ name }) => (given[`loader_${name}`] === undefined ? [] : [name])),
        game_versions: given.game_versions,
      });
      return { to: `${page}?saved=1` };
    },
  });
}
