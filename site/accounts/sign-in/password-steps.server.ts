import { checkPasswordChange } from '#db/accounts/sign-in/password-change.ts';
import { storePassword } from '#db/accounts/sign-in/store-password.ts';
import { hashPassword } from '#db/platform/people/password.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { AppServices } from '../../platform/context.ts';
import { authLimits, countAttempt } from './limits.server.ts';

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
