import { z } from 'zod';
import { unlinkAccount } from '#db/accounts/linked-accounts/write.ts';
import { subscribeUser } from '#db/messages/mail/newsletter.ts';
import { Refused } from '#db/platform/errors.ts';
import { userByIdOrName } from '#db/platform/people/read.ts';
import { sessionShape } from '#db/platform/people/shape.ts';
import { networkOf } from '#db/platform/runtime/network-of.ts';
import type { AppServices } from '../../platform/context.ts';
import { defineForm } from '../../platform/forms/form-definition.ts';
import { authCookies } from '../../platform/http/cookies.ts';
import { localPath } from '../../platform/http/local-path.ts';
import { setSignInCookie, signInCookie } from '../../platform/http/sign-in-cookies.ts';
import { authenticatedRoute, publicRoute } from '../../platform/route/endpoint.ts';
import { formRoute } from '../../platform/route/form.ts';
import type { Api } from '../../platform/route/types.ts';
import { assertHuman } from '../sign-in/captcha.ts';
import { authLimits, countAttempt } from '../sign-in/limits.server.ts';
import { createAccountOfState } from './account-flow.server.ts';
import { configuredProviders } from './configured-providers.ts';
import { openSessionBeside } from './open-session.server.ts';
import { type ProviderId, providerIds } from './provider.ts';

const tag = 'auth';
const text = z.string().max(1024);

export const newAccountForm = defineForm({
  action: '/_internal/auth/new-account',
  shape: z.object({ username: text, redirect: text.optional() }),
  fields: ['username'],
  errors: { username_taken: 'username', username_confusable: 'username', username_malformed: 'username' },
});

export const welcomeForm = defineForm({
  action: '/_internal/auth/welcome',
  shape: z.object({ newsletter: z.string().max(8).optional() }),
  fields: [],
  errors: {},
});

export const unlinkForm = defineForm({
  action: '/_internal/auth/unlink',
  shape: z.object({ provider: z.enum(providerIds) }),
  fields: [],
  errors: {},
});

/** New accounts of people whom a provider named, and removing a linked account; for programs. Source: api-v3 §4. */
export function providerAccountRoutes(api: Api, services: AppServices): void {
  const { settings, sql } = services;

  publicRoute(api, {
    method: 'post',
    path: '/auth/create/oauth',
    summary: 'Create the account of somebody whom a sign-in provider named',
    tag,
    body: z.object({
      username: text,
      state: text,
      challenge: z.string().max(8192).nullish(),
      sign_up_newsletter: z.boolean().nullish(),
      /** Not shown to people: whoever ticks it is a program. */
      account_consent: z.boolean().nullish(),
    }),
    answer: sessionShape,
    async handle({
      body: { username, state, challenge, sign_up_newsletter, account_consent },
      request,
      address,
      now,
    }) {
      if (account_consent) throw new Refused('invalid_input', { problem: 'account_consent' });
      if (settings.RATE_LIMIT_PER_MINUTE > 0)
        countAttempt(authLimits(services).signUp, networkOf(address), now);
      await assertHuman(services, challenge ?? undefined);
      const newsletter = sign_up_newsletter === true;
      const user_id = await createAccountOfState(sql, { state, username, newsletter, now });
      return await openSessionBeside(services, { user_id, request, address, now, is_new: true });
    },
  });

  authenticatedRoute(api, {
    method: 'delete',
    path: '/auth/provider',
    summary: 'Remove an account that you sign in with',
    tag,
    needs: ['USER_AUTH_WRITE'],
    body: z.object({ provider: z.string().max(40) }),
    async handle({ body: { provider }, actor, now, begin }) {
      const provider_name = providerName(services, provider);
      await begin((tx) => unlinkAccount(tx, services, { actor, provider, provider_name, now }));
      return undefined;
    },
  });

  authenticatedRoute(api, {
    method: 'post',
    path: '/auth/discord-community-link',
    summary: 'The address of the Discord community',
    tag,
    needs: ['SESSION_ACCESS'],
    answer: z.object({ url: z.string() }),
    async handle() {
      if (!settings.DISCORD_INVITE_URL) throw new Refused('not_found');
      return { url: settings.DISCORD_INVITE_URL };
    },
  });
}

/** The name of a provider that may no longer be configured. */
const providerName = ({ settings }: AppServices, id: string): string =>
  configuredProviders(settings).get(id as ProviderId)?.name ?? id;

/** The same for our own pages. */
export function providerFormRoutes(api: Api, services: AppServices): void {
  const { settings, sql } = services;
  const siteUrl = settings.SITE_URL;

  formRoute(api, newAccountForm, {
    needs: 'anyone',
    page: '/auth/new-account',
    async run({ c, fields: { username, redirect }, now }) {
      const state = signInCookie(c.req.raw, 'new-account', siteUrl);
      if (state === null) throw new Refused('flow_invalid');
      const address = c.get('address');
      if (settings.RATE_LIMIT_PER_MINUTE > 0)
        countAttempt(authLimits(services).signUp, networkOf(address), now);
      const user_id = await createAccountOfState(sql, { state, username, newsletter: false, now });
      const { session } = await openSessionBeside(services, {
        ...{ user_id, request: c.req.raw, address, now, is_new: true },
      });
      const to = localPath(redirect, siteUrl, '/dashboard');
      return {
        cookies: [...authCookies(session, siteUrl), setSignInCookie('new-account', null, siteUrl)],
        to: `/auth/welcome?${new URLSearchParams({ redirect: to })}`,
        answer: { user: await userByIdOrName(services, user_id) },
      };
    },
  });

  formRoute(api, welcomeForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/auth/welcome',
    async run({ actor: { user_id }, fields: { newsletter }, now }) {
      if (newsletter) await sql.begin((tx) => subscribeUser(tx, services, { user_id, now }));
      return {};
    },
  });

  formRoute(api, unlinkForm, {
    needs: ['USER_AUTH_WRITE'],
    page: '/settings/account',
    async run({ actor, fields: { provider }, now }) {
      const provider_name = providerName(services, provider);
      await sql.begin((tx) => unlinkAccount(tx, services, { actor, provider, provider_name, now }));
      return { to: '/settings/account?provider_removed=1' };
    },
  });
}
