import { z } from 'zod';
import { assertAllAllowed } from '#db/assert-all-allowed.ts';
import { isKnownNetwork, rememberNetwork } from '#db/people/known-networks.ts';
import { userByIdOrName } from '#db/people/read.ts';
import { closeSession, openSession } from '#db/people/session.ts';
import { addUser, prepareUser, userIdForSignIn, verifySignIn, whyNotNewUser } from '#db/people/write.ts';
import type { Limiter } from '#db/runtime/rate-limit.ts';
import { hashToken } from '#db/secrets/hash.ts';
import type { AppServices } from '../../context.ts';
import { defineForm } from '../../forms/form-definition.ts';
import { networkOf } from '../../http/address.ts';
import { authCookies, cookieToken } from '../../http/cookies.ts';
import { authLimits, countAttempt } from '../auth/limits.ts';
import { type FormContext, type FormResult, formRoute } from '../route/form.ts';
import { requestOrigin } from '../route/request-origin.ts';
import type { Api } from '../route/types.ts';

const text = z.string().max(1024);
const required = text.min(1);
const too_many = { text: 'account.too_many' } as const;

export const signInForm = defineForm({
  action: '/_internal/auth/sign-in',
  shape: z.object({ username: required, password: required }),
  fields: ['username', 'password'],
  errors: { invalid_credentials: 'password', rate_limited: too_many },
});

export const signUpForm = defineForm({
  action: '/_internal/auth/sign-up',
  shape: z.object({ username: text, email: text, password: text, confirm_password: text }),
  fields: ['username', 'email', 'password', 'confirm_password'],
  errors: {
    username_taken: 'username',
    username_malformed: 'username',
    email_taken: 'email',
    email_malformed: 'email',
    password_length: 'password',
    password_breached: 'password',
    password_weak: 'password',
    passwords_differ: 'confirm_password',
    rate_limited: too_many,
  },
});

export const signOutForm = defineForm({
  action: '/_internal/auth/sign-out',
  shape: z.object({}),
  fields: [],
  errors: {},
});

/** Sign-in, sign-up and sign-out for our own pages; limits: `authLimits`. Source: decisions §1.5. */
export function authRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const limits = authLimits(services);

  formRoute(api, signInForm, {
    needs: 'anyone',
    page: '/auth/sign-in',
    async run({ c, fields: { username, password }, now }) {
      const network = networkOf(c.get('address'));
      const known_id = await userIdForSignIn(sql, username);
      // name and e-mail address share one count; an unknown name may be a mistyped password or not storable, so it is
      // hashed
      const account = known_id ?? hashToken(username.toLowerCase());
      const keys: Array<[Limiter, string]> = [
        [limits.pair, `${network} ${account}`],
        [limits.network, network],
      ];
      // guesses from elsewhere must not lock users out of networks where they signed in before
      if (!(await isKnownNetwork(sql, known_id, network))) keys.push([limits.account, account]);
      // of this moment, not of the start of the request: counts of other processes may have come since
      for (const [limiter, key] of keys) countAttempt(limiter, key, services.now());
      const user_id = await verifySignIn(sql, username, password);
      for (const [limiter, key] of keys) limiter.hit(key, now.getTime(), -1); // only failures count
      return await signedIn({ c, now }, user_id);
    },
  });

  formRoute(api, signUpForm, {
    needs: 'anyone',
    page: '/auth/sign-up',
    async run({ c, fields, now }) {
      if (settings.RATE_LIMIT_PER_MINUTE > 0) countAttempt(limits.signUp, networkOf(c.get('address')), now);
      const differ = fields.password !== fields.confirm_password;
      assertAllAllowed([differ ? 'passwords_differ' : null, ...whyNotNewUser(fields)]);
      const prepared = await prepareUser({ ...fields, now });
      const user_id = (await sql.begin((db) => addUser(db, prepared))) as string;
      return await signedIn({ c, now }, user_id);
    },
  });

  formRoute(api, signOutForm, {
    needs: 'anyone',
    page: '/',
    async run({ c, now }) {
      const token = cookieToken(c.req.raw, settings.SITE_URL);
      if (token) await closeSession(sql, token, now);
      return { cookies: authCookies(null, settings.SITE_URL), answer: { user: null } };
    },
  });

  async function signedIn(
    { c, now }: Pick<FormContext<unknown, unknown>, 'c' | 'now'>,
    user_id: string,
  ): Promise<FormResult> {
    const user_agent = c.req.header('user-agent') ?? null;
    const from = await requestOrigin(c, services);
    const { session } = await openSession(sql, { user_id, user_agent, from, now });
    await rememberNetwork(sql, user_id, networkOf(c.get('address')), now);
    return {
      cookies: authCookies(session, settings.SITE_URL),
      answer: { user: await userByIdOrName(services, user_id) },
    };
  }
}
