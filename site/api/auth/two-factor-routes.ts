import { z } from 'zod';
import { startTotp } from '#db/accounts/sign-in/two-factor.ts';
import { boundedText } from '#db/platform/shape.ts';
import { turnOff, turnOn } from '../../accounts/sign-in/two-factor-steps.server.ts';
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
