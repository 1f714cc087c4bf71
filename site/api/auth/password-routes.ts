import { z } from 'zod';
import { checkPasswordChange, removePassword } from '#db/accounts/sign-in/password-change.ts';
import { storePassword } from '#db/accounts/sign-in/store-password.ts';
import { Refused } from '#db/platform/errors.ts';
import { hashPassword } from '#db/platform/people/password.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { resetByLink } from '../../accounts/sign-in/address-steps.server.ts';
import { authLimits, countAttempt } from '../../accounts/sign-in/limits.server.ts';
import type { AppServices } from '../../platform/context.ts';
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

/** Changes the password of the actor. Refuses as `checkPasswordChange`, and `rate_limited`. */
export async function changePassword(
  services: AppServices,
  {
    actor,
    old_password,
    new_password,
    now,
  }: { actor: Actor; old_password: string; new_password: string; now: Date },
): Promise<void> {
  const { sql } = services;
  const { confirm } = authLimits(services);
  countAttempt(confirm, actor.user_id, now);
  await checkPasswordChange(sql, services, { actor, old_password, new_password, now });
  confirm.hit(actor.user_id, now.getTime(), -1); // only failures count
  const password_hash = await hashPassword(new_password);
  const { user_id, session: keep } = actor;
  await sql.begin((tx) =>
    storePassword(tx, services, { user_id, password_hash, now, ...(keep && { keep }) }),
  );
}
