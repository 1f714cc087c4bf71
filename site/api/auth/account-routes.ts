import { z } from 'zod';
import { startAddress } from '#db/accounts/account/email.ts';
import { startSession } from '#db/accounts/sign-in/start-session.ts';
import { assertAllAllowed } from '#db/platform/assert-all-allowed.ts';
import { Refused } from '#db/platform/errors.ts';
import { contextWords } from '#db/platform/people/context-words.ts';
import { sessionShape } from '#db/platform/people/shape.ts';
import { addUser, hashedUser, whyNotNameTaken, whyNotNewUser } from '#db/platform/people/write.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import { boundedText } from '#db/platform/shape.ts';
import { assertHuman } from '../../accounts/sign-in/captcha.ts';
import { authLimits, countAttempt, tellingTaken } from '../../accounts/sign-in/limits.server.ts';
import {
  answerSecondStep,
  placeOf,
  signInWithPassword,
} from '../../accounts/sign-in/sign-in-steps.server.ts';
import type { AppServices } from '../../platform/context.ts';
import { pageLocale } from '../../platform/http/page-locale.ts';
import { publicRoute } from '../../platform/route/endpoint.ts';
import type { Api } from '../../platform/route/types.ts';

const tag = 'accounts';
const text = z.string().max(1024);
const challenge = z.string().max(8192).nullish();
const newAccountShape = z.object({
  username: text,
  password: text,
  email: text,
  challenge,
  sign_up_newsletter: z.boolean().nullish(),
  /** Nobody sees this field, so only a program fills it in. */
  account_consent: z.boolean().nullish(),
});
type NewAccount = z.output<typeof newAccountShape>;
const secondStepShape = z.object({
  error: z.literal('2fa_required'),
  description: z.string(),
  flow: z.string(),
});

const secondStep = (flow: string): z.output<typeof secondStepShape> => ({
  error: '2fa_required',
  description: 'Enter a code of your authenticator app.',
  flow,
});

/** Accounts and sign-in for programs, below /v2/auth and /_internal/auth alike. Source: api-v3 §4. */
export function accountRoutes(api: Api): void {
  publicRoute(api, {
    method: 'post',
    path: '/auth/create/validate',
    summary: 'Whether an account can be created',
    tag,
    create_errors: true,
    body: newAccountShape,
    async handle({ body, services, address, now }) {
      await assertPossible(services, body, address, now);
      return undefined;
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/create',
    summary: 'Create an account and sign in',
    tag,
    create_errors: true,
    body: newAccountShape,
    answer: sessionShape,
    async handle({ body, services, request, address, now, begin }) {
      await assertPossible(services, body, address, now);
      await assertHuman(services, body.challenge ?? undefined);
      const prepared = await hashedUser({ ...body, now });
      const place = await placeOf(services, { request, address });
      return await begin(async (tx) => {
        const user_id = await addUser(tx, prepared);
        const newsletter = body.sign_up_newsletter === true;
        await startAddress(tx, services, { user_id, newsletter, locale: pageLocale(request), now });
        return await startSession(tx, services, { user_id, place, now, is_new: true });
      });
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/login',
    summary: 'Sign in by password; with two-factor authentication the answer is the flow of the second step',
    tag,
    create_errors: true,
    body: z.object({ username: text.min(1), password: text.min(1), challenge }),
    answer: z.union([sessionShape, secondStepShape]),
    async handle({ body, services, request, address, now }) {
      await assertHuman(services, body.challenge ?? undefined);
      const place = await placeOf(services, { request, address });
      const { session, flow } = await signInWithPassword(services, { ...body, place, now });
      return session ?? secondStep(flow as string);
    },
  });

  publicRoute(api, {
    method: 'post',
    path: '/auth/login/2fa',
    summary: 'The second step of a sign-in, by code or backup code',
    tag,
    create_errors: true,
    body: z.object({ code: boundedText(1, 64), flow: z.string().min(1).max(128) }),
    answer: sessionShape,
    async handle({ body: { code, flow }, services, request, address, now }) {
      const place = await placeOf(services, { request, address });
      return await answerSecondStep(services, { flow, code, place, now });
    },
  });
}

/** Refuses `invalid_input`, what `whyNotNewUser` says, `username_taken`, `username_confusable`, `email_taken`, `rate_limited`. */
async function assertPossible(
  services: AppServices,
  body: NewAccount,
  address: string,
  now: Date,
): Promise<void> {
  if (services.settings.RATE_LIMIT_PER_MINUTE > 0)
    countAttempt(authLimits(services).signUp, networkOf(address), now);
  if (body.account_consent) throw new Refused('invalid_input', { problem: 'the account can’t be created' });
  assertAllAllowed(await whyNotNewUser({ ...body, words: contextWords(services.settings) }));
  await tellingTaken(services, { email: body.email, address, now }, async () =>
    assertAllAllowed([await whyNotNameTaken(services.sql, body)]),
  );
}
