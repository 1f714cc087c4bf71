import { z } from 'zod';
import { askForPasskey, userOfPasskey } from '#db/accounts/sign-in/passkey-sign-in.ts';
import { startSession } from '#db/accounts/sign-in/start-session.ts';
import { Refused } from '#db/platform/errors.ts';
import { endFlow, readFlow } from '#db/platform/flows/write.ts';
import { markProved, type Session } from '#db/platform/people/session.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { cookieToken, stepCookie, stepSecret } from '../../platform/http/cookies.ts';
import { callerToken } from '../../platform/route/authenticate.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { authLimits, countAttempt } from './limits.server.ts';
import { passkeyAnswerShape } from './passkey-shapes.ts';
import { placeOf } from './sign-in-steps.server.ts';
import { signedInAnswer } from './signed-in.server.ts';

const shape = z.object({
  flow: z.string().min(1).max(128),
  credential: passkeyAnswerShape,
  redirect: z.string().optional(),
});
const errors = { rate_limited: { text: 'account.too_many' } } as const;

/** What a script sends when a passkey signs somebody in, alone or after the password. */
export const passkeySignInForm = defineForm({
  action: '/_internal/auth/passkey-sign-in',
  shape,
  fields: [],
  errors,
});

/** What a script sends when a passkey proves who the user of the session is. */
export const passkeyConfirmForm = defineForm({
  action: '/_internal/auth/passkey-confirm',
  shape,
  fields: [],
  errors,
});

const asked = z.object({ options: z.looseObject({ challenge: z.string() }), flow: z.string() });

/** Passkeys on our own pages: the session stays in its cookie. */
export function passkeyFormRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const { SITE_URL } = settings;

  publicRoute(api, {
    method: 'post',
    path: '/auth/second-step/passkey',
    summary: 'What the browser asks for a passkey with, after the password',
    tag: 'internal',
    answer: asked,
    async handle({ request, now }) {
      const step = stepSecret(request, 'sign-in', SITE_URL) ?? '';
      const open = await readFlow(sql, 'second_step', step, now);
      if (!open?.user_id) throw new Refused('flow_invalid');
      return (await askForPasskey(sql, services, { user_id: open.user_id, now })) as never;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/confirm/passkey',
    summary: 'What the browser asks for a passkey with, to prove who the user is',
    tag: 'internal',
    needs: ['USER_AUTH_WRITE'],
    answer: asked,
    handle: async ({ actor: { user_id }, now }) =>
      (await askForPasskey(sql, services, { user_id, now })) as never,
  });

  formRoute(api, passkeySignInForm, {
    needs: 'anyone',
    page: '/auth/sign-in',
    async run({ c, fields: { flow, credential, redirect }, now }) {
      const address = c.get('address');
      const { network } = authLimits(services);
      countAttempt(network, networkOf(address), now);
      const user_id = await userOfPasskey(sql, services, { flow, credential, now });
      network.hit(networkOf(address), now.getTime(), -1); // only failures count
      const old_token = cookieToken(c.req.raw, SITE_URL);
      const place = await placeOf(services, { request: c.req.raw, address, old_token });
      const step = stepSecret(c.req.raw, 'sign-in', SITE_URL);
      const session = await sql.begin(async (tx) => {
        if (step) await endFlow(tx, 'second_step', step);
        return await startSession(tx, services, { user_id, place, now });
      });
      const done = await signedInAnswer(services, { session: session as Session }, redirect);
      return { ...done, cookies: [...done.cookies!, stepCookie('sign-in', null, SITE_URL)] };
    },
  });

  formRoute(api, passkeyConfirmForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/auth/confirm',
    async run({ c, actor, fields: { flow, credential }, now }) {
      const user_id = await userOfPasskey(sql, services, { flow, credential, now });
      if (user_id !== actor.user_id) throw new Refused('passkey_refused');
      await markProved(sql, callerToken(c.req.raw, settings) ?? '', now);
      return {};
    },
  });
}
