import { z } from 'zod';
import { endOtherSessions, endSession, endSessionsOf } from '#db/platform/people/session-list.ts';
import { idShape } from '#db/platform/shape.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { callerToken } from '../../platform/route/authenticate.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';

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

/** The forms of the page of sessions, and how admins end all sessions of somebody. */
export function sessionFormRoutes(api: Api, { sql, settings }: AppServices): void {
  authenticatedRoute(api, {
    method: 'delete',
    path: '/user/{id}/sessions',
    summary: 'End every session of a user, for admins',
    tag: 'admin',
    needs: ['SESSION_DELETE'],
    params: z.object({ id: idShape }),
    async handle({ params: { id }, actor, now, begin }) {
      await begin((tx) => endSessionsOf(tx, { user_id: id, actor, now }));
      return undefined;
    },
  });

  formRoute(api, endSessionForm, {
    needs: ['SESSION_DELETE'],
    page,
    async run({ c, actor, fields: { id }, now }) {
      const token = callerToken(c.req.raw, settings);
      await sql.begin((tx) => endSession(tx, { id, actor, token, now }));
      return done;
    },
  });

  formRoute(api, endOtherSessionsForm, {
    needs: ['SESSION_DELETE'],
    page,
    async run({ c, actor, now }) {
      const token = callerToken(c.req.raw, settings) ?? '';
      const ended = await sql.begin((tx) => endOtherSessions(tx, { actor, token, now }));
      return { ...done, answer: { ended } };
    },
  });
}
