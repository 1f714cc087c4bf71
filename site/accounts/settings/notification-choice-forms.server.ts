import { z } from 'zod';
import { saveFollowChoice } from '#db/catalogue/follows/choices.ts';
import { followModes } from '#db/catalogue/follows/rules.ts';
import { saveNotificationChoices } from '#db/catalogue/follows/update-filters.ts';
import { loaders } from '#db/catalogue/tags/rules.ts';
import { chosenTypes, type MailTime, mailTimes } from '#db/messages/notifications/rules.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { projectNotificationsPath } from '../../platform/paths/routes.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

/** A check box: sent when it is on. */
const box = z.string().max(10).optional();
const everyType = <S extends z.ZodType>(prefix: string, shape: S) =>
  Object.fromEntries(chosenTypes.map((type) => [`${prefix}_${type}`, shape])) as Record<string, S>;
const everyLoader = Object.fromEntries(loaders.map(({ name }) => [`loader_${name}`, box]));

/** Names between commas or spaces. */
const versionNames = z
  .string()
  .max(2000)
  .default('')
  .transform((text) => [...new Set(text.split(/[\s,،]+/).filter((name) => name !== ''))]);
/** The loaders whose box was on. */
const loadersOf = (given: Record<string, unknown>): string[] =>
  loaders.flatMap(({ name }) => (given[`loader_${name}`] === undefined ? [] : [name]));

const filter_errors = {
  game_version_unknown: { field: 'game_versions', text: 'notify.version_unknown' },
  limit_reached: 'game_versions',
} as const;

export const notificationChoicesForm = defineForm({
  action: '/_internal/notifications/choices',
  shape: z.object({
    ...everyType('site', box),
    ...everyType('mail', z.enum(mailTimes)),
    ...everyLoader,
    game_versions: versionNames,
  }),
  fields: ['game_versions'],
  errors: filter_errors,
});

export const followChoiceForm = defineForm({
  action: '/_internal/notifications/follow-choice',
  shape: z.object({
    project_id: idShape,
    mode: z.enum(followModes),
    ...everyLoader,
    game_versions: versionNames,
  }),
  fields: ['mode', ...Object.keys(everyLoader), 'game_versions'],
  errors: filter_errors,
});

const page = '/settings/notifications';

/** The forms of the settings of notifications: for everything, and for one followed project. */
export function notificationChoiceRoutes(api: Api, { sql }: AppServices): void {
  formRoute(api, notificationChoicesForm, {
    needs: ['USER_WRITE'],
    page,
    async run({ actor, fields }) {
      const given = fields as Record<string, unknown> & { game_versions: string[] };
      const types = Object.fromEntries(
        chosenTypes.map((type) => [
          type,
          { site: given[`site_${type}`] !== undefined, mail: given[`mail_${type}`] as MailTime },
        ]),
      ) as Parameters<typeof saveNotificationChoices>[2]['types'];
      await saveNotificationChoices(sql, actor, {
        types,
        loaders: loadersOf(given),
        game_versions: given.game_versions,
      });
      return { to: `${page}?saved=1` };
    },
  });

  formRoute(api, followChoiceForm, {
    needs: ['USER_WRITE'],
    // who unfollowed in another tab has no choice left to correct
    page: ({ project_id }, code) =>
      code === 'not_following' ? page : projectNotificationsPath(encodeURIComponent(String(project_id))),
    elsewhere: (code) => code === 'not_following',
    async run({ actor, fields }) {
      const { project_id, mode, game_versions } = fields;
      await saveFollowChoice(sql, actor, project_id, { mode, loaders: loadersOf(fields), game_versions });
      return { to: `${projectNotificationsPath(project_id)}?saved=1` };
    },
  });
}
