import { z } from 'zod';
import { Refused } from '#db/errors.ts';
import { markProved } from '#db/people/session.ts';
import { checkProof, endGuessedSession } from '#db/sign-in/prove.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { authLimits, countAttempt } from '../auth/limits.ts';
import { callerToken } from '../route/authenticate.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

export const confirmForm = defineForm({
  action: '/_internal/auth/confirm',
  shape: z.object({ password: z.string().max(1024).default(''), code: z.string().max(64).default('') }),
  fields: ['password', 'code'],
  errors: { confirm_failed: 'password', code_wrong: 'code', rate_limited: { text: 'account.too_many' } },
});

/** The form by which the user of a session proves again who they are. Only sessions have its scope. */
export function confirmRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  formRoute(api, confirmForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/auth/confirm',
    async run({ c, actor, fields: { password, code }, now }) {
      const token = callerToken(c.req.raw, settings) ?? '';
      const { confirm, guesses } = authLimits(services);
      const { user_id, session = '' } = actor;
      countAttempt(confirm, session, now);
      if (!guesses.hit(session, now.getTime()).allowed) {
        await sql.begin((tx) => endGuessedSession(tx, services, actor, now));
        throw new Refused('authentication_required');
      }
      await checkProof(sql, services, { user_id, password, code, now });
      for (const limiter of [confirm, guesses]) limiter.hit(session, now.getTime(), -1); // only failures count
      await markProved(sql, token, now);
      return {};
    },
  });
}
