import { z } from 'zod';
import { endOtherSessions, endSession } from '#db/people/session-list.ts';
import { idShape } from '#db/shape.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { callerToken } from '../route/authenticate.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

export const endSessionForm = defineForm({
  action: '/_internal/sessions/end',
  shape: z.object({ id: idShape }),
  fields: [],
  errors: {},
});

export const endOtherSessionsForm = defineForm({
  action: '/_internal/sessions/end-others',
  shape: z.object({}),
  fields: [],
  errors: {},
});

const page = '/settings/sessions';
const done = { to: `${page}?done=1` };

/** The forms of the page of sessions. */
export function sessionFormRoutes(api: Api, { sql, settings }: AppServices): void {
  formRoute(api, endSessionForm, {
    needs: ['SESSION_DELETE'],
    page,
    async run({ actor: { user_id }, fields: { id } }) {
      await sql.begin((tx) => endSession(tx, { id, user_id }));
      return done;
    },
  });

  formRoute(api, endOtherSessionsForm, {
    needs: ['SESSION_DELETE'],
    page,
    async run({ c, actor: { user_id } }) {
      const token = callerToken(c.req.raw, settings) ?? '';
      const ended = await sql.begin((tx) => endOtherSessions(tx, { user_id, token }));
      return { ...done, answer: { ended } };
    },
  });
}
