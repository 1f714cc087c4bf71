import { z } from 'zod';
import { checkProof, endGuessedSession } from '#db/accounts/sign-in/prove.ts';
import { Refused } from '#db/platform/errors.ts';
import { markProved } from '#db/platform/people/session.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { callerToken } from '../../platform/route/authenticate.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { authLimits, countAttempt } from './limits.server.ts';

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
