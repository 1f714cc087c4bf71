import type { Context } from 'hono';
import { z } from 'zod';
import { usernameFrom } from '#db/accounts/linked-accounts/rules.ts';
import {
  isAddressKnown,
  linkAccount,
  type ProviderIdentity,
  userOfLinkedAccount,
} from '#db/accounts/linked-accounts/write.ts';
import { assertAllowed, type RefusalCode, Refused } from '#db/platform/errors.ts';
import { actorOf } from '#db/platform/people/read.ts';
import { type Actor, hasScope, whyNotProved } from '#db/platform/people/rules.ts';
import { toRefused } from '#db/platform/postgres/to-refused.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import type { AppServices } from '../../platform/context.ts';
import { authCookies, cookieToken, isSameOrigin, stepCookie } from '../../platform/http/cookies.ts';
import { browserOf, setSignInCookie, signInCookie } from '../../platform/http/sign-in-cookies.ts';
import { confirmPath } from '../../platform/paths/confirm-path.ts';
import { twoFactorPath } from '../../platform/paths/two-factor-path.ts';
import { errorResponse } from '../../platform/route/error-response.ts';
import { document } from '../../platform/route/openapi.ts';
import type { Api, ApiEnv } from '../../platform/route/types.ts';
import { afterFirstFactor, placeOf, type SignInResult } from '../sign-in/sign-in-steps.server.ts';
import { openAccountFlow } from './account-flow.server.ts';
import { configuredProviders } from './configured-providers.ts';
import {
  assertSameBrowser,
  type FlowReturn,
  openProviderFlow,
  type ProviderFlow,
  takeProviderFlow,
} from './flow.server.ts';
import type { Provider, ProviderId } from './provider.ts';
import { afterSignIn, type ReturnAddress, returnAddress, withQuery } from './return-address.ts';

type Requested = Context<ApiEnv>;

/** Providers that name no date of birth. Source: api-v3 §4 (GET callback). */
const without_birth: readonly string[] = ['github', 'gitlab', 'steam'];

/**
 * Signing in by a provider: the way there and the way back. A page of ours gets the session as a cookie, a program as
 * `code` in its address. Errors are shown on the page that the sign-in began on. Source: api-v3 §4.
 */
export function providerSignInRoutes(api: Api, services: AppServices): void {
  const { sql, settings } = services;
  const siteUrl = settings.SITE_URL;
  const providers = configuredProviders(settings);

  const providerOf = (name: string): Provider => {
    const provider = providers.get(name as ProviderId);
    if (!provider) throw new Refused('provider_unknown', { provider: name.slice(0, 40) });
    return provider;
  };

  documentSignIn(api);
  api.get('/auth/init', async (c) => {
    const query = new URL(c.req.url).searchParams;
    c.header('cache-control', 'private, no-store');
    let to: ReturnAddress | null = null;
    try {
      if (query.has('auth_token'))
        throw new Refused('invalid_input', { problem: 'auth_token: payment accounts are not linked here' });
      to = returnAddress(query.get('url') ?? '', settings);
      const provider = providerOf(query.get('provider') ?? 'github');
      const now = services.now();
      const link_to = await linkingUser(c, query, now);
      const browser = browserOf(c.req.raw, siteUrl);
      const { flow, state } = await openProviderFlow(sql, {
        provider: provider.id,
        to,
        browser,
        link_to,
        now,
      });
      const url = String(await provider.start({ ...flow, state }, now));
      c.header('set-cookie', setSignInCookie('sign-in', browser, siteUrl), { append: true });
      c.header('location', url);
      return c.json({ url }, 307);
    } catch (error) {
      // a person came from a page of ours, and reads there what is wrong
      return to?.kind === 'page'
        ? failedPage(c, error, to)
        : errorResponse(c, error, { create_errors: false });
    }
  });

  api.get('/auth/callback', async (c) => {
    const query = new URL(c.req.url).searchParams;
    c.header('cache-control', 'private, no-store');
    c.header('referrer-policy', 'no-referrer');
    let to: FlowReturn | null = null;
    try {
      const now = services.now();
      const state = query.get('state') ?? '';
      const { flow, link_to } = await takeProviderFlow(sql, state, now);
      to = flow.to;
      assertSameBrowser(flow, signInCookie(c.req.raw, 'sign-in', siteUrl));
      const provider = providerOf(flow.provider);
      const found = await provider.finish({ ...flow, state }, query, now);
      const identity: ProviderIdentity = {
        ...{ provider: provider.id, issuer: provider.issuer, subject: found.subject },
        ...{ name: found.username, email: found.email },
      };
      if (link_to !== null) return await linked(c, { identity, provider, link_to, to, now });
      const user_id = await userOfLinkedAccount(sql, identity, now);
      if (user_id !== null) return await signedIn(c, { user_id, to, now });
      if (await isAddressKnown(sql, identity))
        throw new Refused('provider_email_known', { provider: provider.name });
      return await newUser(c, { identity, to, now });
    } catch (error) {
      return failedPage(c, error, to);
    }
  });

  /**
   * The user who adds an account to their own; null for a sign-in. Both ways need this browser to be signed in as them, so
   * that nobody can be led to add their account to somebody else's. Refuses `authentication_required`, `scope_missing`,
   * `cross_site`, `proof_required`.
   */
  async function linkingUser(c: Requested, query: URLSearchParams, now: Date): Promise<string | null> {
    const given = query.get('token');
    if (given === null && query.get('link') !== 'true') return null;
    const actor = await browserActor(c, now);
    if (!actor) throw new Refused('authentication_required');
    if (given !== null) {
      const named = await actorOf(services, given, now);
      if (!named.interactive || named.user_id !== actor.user_id) throw new Refused('token_invalid');
    } else if (c.req.header('sec-fetch-site') !== 'same-origin' || !isSameOrigin(c.req.raw, siteUrl))
      throw new Refused('cross_site');
    if (!hasScope(actor, 'USER_AUTH_WRITE')) throw new Refused('scope_missing', { scope: 'USER_AUTH_WRITE' });
    assertAllowed(whyNotProved(actor, now));
    return actor.user_id;
  }

  /** The user of this browser's session. */
  async function browserActor(c: Requested, now: Date): Promise<Actor | null> {
    const token = cookieToken(c.req.raw, siteUrl);
    return token ? await actorOf(services, token, now).catch(() => null) : null;
  }

  async function linked(
    c: Requested,
    {
      identity,
      provider,
      link_to,
      to,
      now,
    }: Ending & { identity: ProviderIdentity; provider: Provider; link_to: string },
  ): Promise<Response> {
    const actor = await browserActor(c, now);
    if (actor?.user_id !== link_to) throw new Refused('sign_in_other_browser');
    await sql.begin((tx) =>
      linkAccount(tx, services, { actor, identity, provider_name: provider.name, now }),
    );
    return c.redirect(to.kind === 'page' ? to.path : to.url, 307);
  }

  async function signedIn(
    c: Requested,
    { user_id, to, now }: Ending & { user_id: string },
  ): Promise<Response> {
    // a page's new session takes the place of the browser's old one
    const old_token = to.kind === 'page' ? cookieToken(c.req.raw, siteUrl) : null;
    const place = await placeOf(services, { request: c.req.raw, address: c.get('address'), old_token });
    const { flow, session } = (await sql.begin((tx) =>
      afterFirstFactor(tx, services, { user_id, place, now }),
    )) as SignInResult;
    if (flow !== undefined) return secondStep(c, flow, to);
    return handOver(c, session.session!, to);
  }

  /** Leads to the second step, which nobody gets around by a provider. */
  function secondStep(c: Requested, flow: string, to: FlowReturn): Response {
    if (to.kind === 'program') return c.redirect(withQuery(to.url, { error: '2fa_required', flow }), 307);
    c.header('set-cookie', stepCookie('sign-in', flow, siteUrl), { append: true });
    return c.redirect(twoFactorPath(afterSignIn(to.path, siteUrl)), 307);
  }

  /** Leads on with the session: as a cookie where it is ours to set, else in the address. */
  function handOver(c: Requested, token: string, to: FlowReturn): Response {
    if (to.kind === 'page') {
      for (const text of authCookies(token, siteUrl)) c.header('set-cookie', text, { append: true });
      return c.redirect(afterSignIn(to.path, siteUrl), 307);
    }
    const returning = setSignInCookie('sign-in-return', hashToken(token), siteUrl);
    c.header('set-cookie', returning, { append: true });
    return c.redirect(withQuery(to.url, { code: token }), 307);
  }

  async function newUser(
    c: Requested,
    { identity, to, now }: Ending & { identity: ProviderIdentity },
  ): Promise<Response> {
    const state = await openAccountFlow(sql, identity, now);
    const username = usernameFrom(identity.name);
    if (to.kind === 'program') {
      const requires_dob = String(without_birth.includes(identity.provider));
      return c.redirect(withQuery(to.url, { state, requires_dob, username }), 307);
    }
    c.header('set-cookie', setSignInCookie('new-account', state, siteUrl), { append: true });
    const redirect = afterSignIn(to.path, siteUrl);
    return c.redirect(`/auth/new-account?${new URLSearchParams({ redirect })}`, 307);
  }

  /** Shows a refusal where the sign-in began; what is no refusal is a bug. */
  function failedPage(c: Requested, error: unknown, to: FlowReturn | null): Response {
    const refused = toRefused(error);
    if (!refused) {
      services.log.error({ err: error, request_id: c.get('request_id') }, 'A sign-in by a provider failed');
      return c.redirect(failedPath('internal_error', to), 303);
    }
    if (refused.cause !== undefined)
      services.log.warn(
        { code: refused.code, ...refused.data, why: String(refused.cause) },
        'A provider failed',
      );
    if (refused.code === 'proof_required' && to?.kind === 'page')
      return c.redirect(confirmPath(to.path), 303);
    const { provider } = refused.data as { provider?: string };
    return c.redirect(failedPath(refused.code, to, provider), 303);
  }

  const failedPath = (
    code: RefusalCode | 'internal_error',
    to: FlowReturn | null,
    provider?: string,
  ): string => {
    const path = to?.kind === 'page' ? to.path : '/auth/sign-in';
    const url = new URL(path, siteUrl);
    url.searchParams.set('provider_error', code);
    if (provider) url.searchParams.set('provider', provider);
    // a program begins again by itself
    return `${url.pathname}${url.search}`;
  };
}

interface Ending {
  to: ProviderFlow['to'];
  now: Date;
}

const text = z.string().optional();

/** The two routes in the OpenAPI document: browsers follow them, so they parse their queries themselves. */
function documentSignIn(api: Api): void {
  const route = { method: 'get', tag: 'auth', redirects: true } as const;
  document(
    api,
    {
      ...route,
      path: '/auth/init',
      summary: 'Begin a sign-in by a provider; a browser is led there',
      query: z.object({ url: z.string(), provider: text, token: text }),
      answer: z.object({ url: z.url() }),
    },
    { reads: [] },
  );
  document(
    api,
    {
      ...route,
      path: '/auth/callback',
      summary: 'End a sign-in by a provider; providers lead browsers here',
      query: z.object({ state: text, code: text, error: text }),
    },
    { reads: [] },
  );
}
