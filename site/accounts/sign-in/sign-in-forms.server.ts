import { z } from 'zod';
import { startAddress } from '#db/accounts/account/email.ts';
import { startSession } from '#db/accounts/sign-in/start-session.ts';
import { Refused } from '#db/platform/errors.ts';
import { contextWords } from '#db/platform/people/context-words.ts';
import { closeSession, type Session } from '#db/platform/people/session.ts';
import { addUser, prepareUser, whyNotNameTaken } from '#db/platform/people/write.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { authCookies, cookieToken, stepCookie, stepSecret } from '../../platform/http/cookies.ts';
import { localPath } from '../../platform/http/local-path.ts';
import { pageLocale } from '../../platform/http/page-locale.ts';
import { twoFactorPath } from '../../platform/paths/two-factor-path.ts';
import { type FormContext, formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { assertHuman } from './captcha.ts';
import { authLimits, countAttempt, tellingTaken } from './limits.server.ts';
import { answerSecondStep, placeOf, signInWithPassword } from './sign-in-steps.server.ts';
import { signedInAnswer } from './signed-in.server.ts';

const text = z.string().max(1024);
const required = text.min(1);
const too_many = { text: 'account.too_many' } as const;
/** What the captcha of a form gave, and where the form leads. */
const common = { challenge: z.string().max(8192).optional(), redirect: z.string().optional() };

export const signInForm = defineForm({
  action: '/_internal/auth/sign-in',
  shape: z.object({ ...common, username: required, password: required }),
  fields: ['username', 'password'],
  errors: { invalid_credentials: 'password', rate_limited: too_many },
});

export const secondStepForm = defineForm({
  action: '/_internal/auth/second-step',
  shape: z.object({ code: z.string().min(1).max(64), redirect: z.string().optional() }),
  fields: ['code'],
  errors: { code_wrong: 'code', rate_limited: too_many },
});

export const signUpForm = defineForm({
  action: '/_internal/auth/sign-up',
  shape: z.object({
    ...common,
    username: text,
    email: text,
    password: text,
    confirm_password: text,
    /** A checkbox: absent unless it is checked. */
    sign_up_newsletter: text.optional(),
    hl: text.optional(),
  }),
  fields: ['username', 'email', 'password', 'confirm_password'],
  errors: {
    username_taken: 'username',
    username_confusable: 'username',
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

/** Sign-in, its second step, sign-up and sign-out for our own pages; limits: `authLimits`. Source: decisions §1.5. */
export function authRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const { SITE_URL } = settings;
  const place = ({ c }: Pick<FormContext<unknown, unknown>, 'c'>) =>
    placeOf(services, {
      request: c.req.raw,
      address: c.get('address'),
      old_token: cookieToken(c.req.raw, SITE_URL),
    });

  formRoute(api, signInForm, {
    needs: 'anyone',
    page: '/auth/sign-in',
    async run({ c, fields: { username, password, challenge, redirect }, now }) {
      await assertHuman(services, challenge);
      const given = { username, password, place: await place({ c }), now };
      return await signedInAnswer(services, await signInWithPassword(services, given), redirect);
    },
  });

  formRoute(api, secondStepForm, {
    needs: 'anyone',
    page: (_given, code) => (code === 'flow_invalid' ? '/auth/sign-in' : twoFactorPath(null)),
    elsewhere: (code) => code === 'flow_invalid',
    async run({ c, fields: { code, redirect }, now }) {
      const flow = stepSecret(c.req.raw, 'sign-in', SITE_URL);
      if (!flow) throw new Refused('flow_invalid');
      const session = await answerSecondStep(services, { flow, code, place: await place({ c }), now });
      const done = await signedInAnswer(services, { session }, redirect);
      return { ...done, cookies: [...done.cookies!, stepCookie('sign-in', null, SITE_URL)] };
    },
  });

  formRoute(api, signUpForm, {
    needs: 'anyone',
    page: '/auth/sign-up',
    async run({ c, fields, now }) {
      if (settings.RATE_LIMIT_PER_MINUTE > 0)
        countAttempt(authLimits(services).signUp, networkOf(c.get('address')), now);
      await assertHuman(services, fields.challenge);
      const words = contextWords(settings);
      const differ = fields.password !== fields.confirm_password;
      const from = await place({ c });
      const asked = { email: fields.email, address: c.get('address'), now };
      const session = await tellingTaken(services, asked, async () => {
        // everything that is wrong is said at once
        const repeated = differ ? ('passwords_differ' as const) : null;
        const taken = await whyNotNameTaken(sql, fields);
        const prepared = await prepareUser({ ...fields, words, now }, [repeated], [taken]);
        return await sql.begin(async (tx) => {
          const user_id = await addUser(tx, prepared);
          const newsletter = fields.sign_up_newsletter !== undefined;
          await startAddress(tx, services, {
            user_id,
            newsletter,
            locale: pageLocale(c.req.raw, fields),
            redirect: fields.redirect === undefined ? null : localPath(fields.redirect, SITE_URL),
            now,
          });
          return await startSession(tx, services, { user_id, place: from, now, is_new: true });
        });
      });
      return await signedInAnswer(services, { session: session as Session }, fields.redirect);
    },
  });

  formRoute(api, signOutForm, {
    needs: 'anyone',
    page: '/',
    async run({ c, now }) {
      const token = cookieToken(c.req.raw, SITE_URL);
      if (token) await closeSession(sql, token, now);
      // drafts, commands typed and the name in the header: whoever uses this browser next sees nothing of them
      c.header('clear-site-data', '"storage"');
      return {
        cookies: authCookies(null, SITE_URL),
        answer: { user: null },
      };
    },
  });
}
