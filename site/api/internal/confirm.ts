import { z } from 'zod';
import { proveByPassword } from '#db/people/prove.ts';
import { hashToken } from '#db/secrets/hash.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { authLimits, countAttempt } from '../auth/limits.ts';
import { callerToken } from '../route/authenticate.ts';
import { formRoute } from '../route/form.ts';
import type { Api } from '../route/types.ts';

export const confirmForm = defineForm({
  action: '/_internal/auth/confirm',
  shape: z.object({ password: z.string().min(1).max(1024) }),
  fields: ['password'],
  errors: { confirm_failed: 'password', rate_limited: { text: 'account.too_many' } },
});

/** The form by which the user of a session proves again who they are. Only sessions have its scope. */
export function confirmRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  formRoute(api, confirmForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/auth/confirm',
    async run({ c, actor: { user_id }, fields: { password }, now }) {
      const token = callerToken(c.req.raw, settings) ?? '';
      const { confirm } = authLimits(services);
      const key = hashToken(token);
      countAttempt(confirm, key, now);
      await proveByPassword(sql, { user_id, token, password, now });
      confirm.hit(key, now.getTime(), -1); // only failures count
      return {};
    },
  });
}
