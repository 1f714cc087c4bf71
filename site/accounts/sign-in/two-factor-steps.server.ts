import { newBackupCodes } from '#db/accounts/sign-in/backup-codes.ts';
import {
  assertTotpOn,
  checkTotpSetup,
  dropTotp,
  takeCode,
  turnOnTotp,
} from '#db/accounts/sign-in/two-factor.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import type { AppServices } from '../../platform/context.ts';
import { authLimits, countAttempt } from './limits.server.ts';

/** Turns the app of an open set-up on. Gives the backup codes. Refuses as `checkTotpSetup` and `turnOnTotp`. */
export async function turnOn(
  services: AppServices,
  { actor, flow, code, now }: { actor: Actor; flow: string; code: string; now: Date },
): Promise<string[]> {
  const setup = await checkTotpSetup(services.sql, services, { actor, flow, code, now });
  const { codes, hashes } = await newBackupCodes();
  await services.sql.begin((tx) => turnOnTotp(tx, services, { actor, flow, setup, hashes, now }));
  return codes;
}

/** Turns the app off. Refuses `proof_required`, `two_factor_off`, `code_wrong`, `rate_limited`. */
export async function turnOff(
  services: AppServices,
  { actor, code, now }: { actor: Actor; code: string; now: Date },
): Promise<void> {
  const { sql } = services;
  const { user_id } = actor;
  await assertTotpOn(sql, actor, now);
  const { confirm } = authLimits(services);
  countAttempt(confirm, user_id, now);
  if (!(await takeCode(sql, services, { user_id, code, now }))) throw new Refused('code_wrong');
  confirm.hit(user_id, now.getTime(), -1);
  await sql.begin((tx) => dropTotp(tx, services, { user_id, now, keep: actor.session }));
}
