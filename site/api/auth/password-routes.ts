import { z } from 'zod';
import { removePassword } from '#db/accounts/sign-in/password-change.ts';
import { Refused } from '#db/platform/errors.ts';
import { resetByLink } from '../../accounts/sign-in/address-steps.server.ts';
import { changePassword } from '../../accounts/sign-in/password-steps.server.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const text = z.string().max(1024);

/** The password of the caller, below /v2/auth and /_internal/auth alike. Source: api-v3 §4 (PATCH password). */
export function passwordRoutes(api: Api): void {
  publicRoute(api, {
    method: 'patch',
    path: '/auth/password',
    summary: 'Change your password, or remove it with null where a passkey or provider is left',
    tag: 'accounts',
    reads: ['USER_AUTH_WRITE'],
    empty_status: 200,
    body: z.object({
      flow: z.string().max(128).nullish(),
      old_password: text.nullish(),
      new_password: text.nullable(),
    }),
    async handle({ services, actor, body: { flow, old_password, new_password }, address, now, begin }) {
      if (flow != null) {
        if (new_password === null) throw new Refused('password_length');
        await resetByLink(services, { flow, password: new_password, address, now });
        return undefined;
      }
      if (!actor) throw new Refused('authentication_required');
      if (new_password === null) await begin((tx) => removePassword(tx, services, { actor, now }));
      else await changePassword(services, { actor, old_password: old_password ?? '', new_password, now });
      return undefined;
    },
  });
}
