import { z } from 'zod';
import { askForPasskey, userOfPasskey } from '#db/accounts/sign-in/passkey-sign-in.ts';
import {
  addPasskey,
  passkeysOf,
  removePasskey,
  renamePasskey,
  startPasskey,
} from '#db/accounts/sign-in/passkeys.ts';
import { startSession } from '#db/accounts/sign-in/start-session.ts';
import { sessionShape } from '#db/platform/people/shape.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { oneLineText } from '#db/platform/shape.ts';
import { authLimits, countAttempt } from '../../accounts/sign-in/limits.server.ts';
import { newPasskeyShape, passkeyAnswerShape } from '../../accounts/sign-in/passkey-shapes.ts';
import { placeOf } from '../../accounts/sign-in/sign-in-steps.server.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'accounts';
const needs = ['USER_AUTH_WRITE'] as const;
const flow = z.string().min(1).max(128);
const name = oneLineText(1, 255);
const params = z.object({ id: z.string().max(11) });
const asked = z.object({ options: z.looseObject({ challenge: z.string() }), flow: z.string() });
const passkeyShape = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  last_used: z.string().nullable(),
});

/** Passkeys, below /v2/auth and /_internal/auth alike. Source: api-v3 §4 (passkey). */
export function passkeyRoutes(api: Api): void {
  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/passkey/register/start',
    summary: 'What a browser makes a passkey with',
    tag,
    needs,
    answer: asked,
    handle: async ({ services, actor, now, begin }) =>
      (await begin((tx) => startPasskey(tx, services, { actor, now }))) as never,
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/passkey/register/finish',
    summary: 'Add a passkey',
    tag,
    needs,
    body: z.object({ flow, name, credential: newPasskeyShape }),
    async handle({ services, actor, body, now, begin }) {
      const passkey = await begin((tx) => addPasskey(tx, services, { actor, ...body, now }));
      return Response.json(passkey, { status: 201 });
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/passkey/start',
    summary: 'What a browser asks for a passkey with',
    tag,
    answer: asked,
    handle: async ({ services, sql, now }) => (await askForPasskey(sql, services, { now })) as never,
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/passkey/finish',
    summary: 'Sign in with a passkey',
    tag,
    create_errors: true,
    body: z.object({ flow, credential: passkeyAnswerShape }),
    answer: sessionShape,
    async handle({ services, sql, body, request, address, now, begin }) {
      const { network } = authLimits(services);
      countAttempt(network, networkOf(address), now);
      const user_id = await userOfPasskey(sql, services, { ...body, now });
      network.hit(networkOf(address), now.getTime(), -1); // only failures count
      const place = await placeOf(services, { request, address });
      return await begin((tx) => startSession(tx, services, { user_id, place, now }));
    },
  });

  authenticatedRoute(api, {
    method: 'get',
    path: '/auth/passkey',
    summary: 'Your passkeys',
    tag,
    needs,
    answer: z.array(passkeyShape),
    handle: async ({ sql, actor }) => await passkeysOf(sql, actor.user_id),
  });

  authenticatedRoute(api, {
    method: 'patch',
    path: '/auth/passkey/{id}',
    summary: 'Rename a passkey',
    tag,
    needs,
    params,
    body: z.object({ name }),
    async handle({ actor, params: { id }, body, begin }) {
      await begin((tx) => renamePasskey(tx, { actor, id, name: body.name }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/auth/passkey/{id}',
    summary: 'Remove a passkey',
    tag,
    needs,
    params,
    async handle({ services, actor, params: { id }, now, begin }) {
      await begin((tx) => removePasskey(tx, services, { actor, id, now }));
      return undefined;
    },
  });
}
