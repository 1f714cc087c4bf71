import { z } from 'zod';
import { newBackupCodes } from '#db/accounts/sign-in/backup-codes.ts';
import {
  assertTotpOn,
  checkTotpSetup,
  dropTotp,
  startTotp,
  takeCode,
  turnOnTotp,
} from '#db/accounts/sign-in/two-factor.ts';
import { Refused } from '#db/platform/errors.ts';
import type { Actor } from '#db/platform/people/rules.ts';
import { boundedText } from '#db/platform/shape.ts';
import { authLimits, countAttempt } from '../../accounts/sign-in/limits.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { authenticatedRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'accounts';
const code = boundedText(1, 64);
const needs = ['USER_AUTH_WRITE'] as const;

/** Two-factor authentication of the caller, below /v2/auth and /_internal/auth alike. Source: api-v3 §4 (2fa). */
export function twoFactorRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/2fa/get_secret',
    summary: 'Begin to set up an authenticator app',
    tag,
    needs,
    answer: z.object({ secret: z.string(), flow: z.string() }),
    handle: async ({ services, actor, now, begin }) =>
      await begin((tx) => startTotp(tx, services, { actor, now })),
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/2fa',
    summary: 'Turn two-factor authentication on with a first code; the answer shows the backup codes once',
    tag,
    needs,
    body: z.object({ code, flow: z.string().min(1).max(128) }),
    answer: z.object({ backup_codes: z.array(z.string()) }),
    handle: async ({ services, actor, body, now }) => ({
      backup_codes: await turnOn(services, { actor, ...body, now }),
    }),
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/auth/2fa',
    summary: 'Turn two-factor authentication off with a code',
    tag,
    needs,
    body: z.object({ code }),
    async handle({ services, actor, body, now }) {
      await turnOff(services, { actor, code: body.code, now });
      return undefined;
    },
  });
}

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
