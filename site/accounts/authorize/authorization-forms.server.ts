import { z } from 'zod';
import { decideRequest } from '#db/accounts/oauth/authorize.ts';
import { narrowAuthorization, revokeAuthorization } from '#db/accounts/oauth/write.ts';
import { boundedText, idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { scopesOfFields } from '../settings/scopes/scope-fields.ts';

/** What the user decides on `/auth/authorize`. */
export const decideForm = defineForm({
  action: '/_internal/authorizations/decide',
  shape: z.object({ flow: boundedText(1, 200), decision: z.enum(['accept', 'reject']) }),
  fields: [],
  errors: {},
});

export const revokeForm = defineForm({
  action: '/_internal/authorizations/revoke',
  shape: z.object({ client_id: idShape }),
  fields: [],
  errors: {},
});

export const narrowForm = defineForm({
  action: '/_internal/authorizations/narrow',
  shape: z.looseObject({ client_id: idShape }),
  fields: [],
  errors: {},
});

const list = '/settings/authorizations';

/** The forms about what apps may do. */
export function authorizationFormRoutes(api: Api, services: AppServices): void {
  formRoute(api, decideForm, {
    needs: ['SESSION_ACCESS'],
    page: '/auth/authorize',
    async run({ actor, fields: { flow, decision }, now }) {
      const decided = { flow, accepted: decision === 'accept' };
      const away = await services.sql.begin((sql) =>
        decideRequest({ ...services, sql }, actor, decided, now),
      );
      return { away };
    },
  });

  formRoute(api, narrowForm, {
    needs: ['SESSION_ACCESS'],
    page: list,
    async run({ actor, fields }) {
      const kept = scopesOfFields(fields);
      await services.sql.begin((tx) => narrowAuthorization(tx, actor, fields.client_id, kept));
      return { to: `${list}?saved=1` };
    },
  });

  formRoute(api, revokeForm, {
    needs: ['SESSION_ACCESS'],
    page: list,
    async run({ actor, fields: { client_id } }) {
      await services.sql.begin((tx) => revokeAuthorization(tx, actor, client_id));
      return { to: `${list}?done=1` };
    },
  });
}
