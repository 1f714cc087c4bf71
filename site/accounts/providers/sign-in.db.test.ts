import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { type OpenIdProvider, openIdProvider, signInAt } from '../../testing/openid-provider.ts';
import {
  discordAnswers,
  githubAnswers,
  type ProviderServer,
  providerServer,
  sends,
  steamAnswers,
  steamAssertion,
} from '../../testing/provider-servers.ts';

/** Sign-in by real and imitated providers on loopback. */
const site = 'http://localhost:4321';
const database = testDatabase();
const env: Record<string, string> = { AUTH_RETURN_HOSTS: 'app.example, .launcher.example' };
let openid: OpenIdProvider;
let hub: ProviderServer;
let chat: ProviderServer;
let games: ProviderServer;
beforeAll(async () => {
  openid = await openIdProvider(`${site}/_internal/auth/callback`);
  [hub, chat, games] = await Promise.all([
    providerServer(githubAnswers()),
    providerServer(discordAnswers()),
    providerServer(steamAnswers()),
  ]);
  const registered = (name: string) => ({
    [`${name}_CLIENT_ID`]: 'cairn',
    [`${name}_CLIENT_SECRET`]: 'open-sesame',
  });
  Object.assign(env, {
    ...{ ...registered('OIDC'), OIDC_ISSUER: openid.issuer, OIDC_NAME: 'Guild' },
    ...{ ...registered('GOOGLE'), GOOGLE_URL: openid.issuer },
    ...{ ...registered('MICROSOFT'), MICROSOFT_URL: openid.issuer },
    ...{ ...registered('GITLAB'), GITLAB_URL: openid.issuer },
    ...{ ...registered('GITHUB'), GITHUB_URL: hub.url },
    ...{ ...registered('DISCORD'), DISCORD_URL: chat.url },
    ...{ STEAM_SIGN_IN: 'on', STEAM_URL: games.url },
  });
});
const api = testApi(database, env);
beforeEach(() => {
  hub.answers = githubAnswers();
});
afterAll(() => {
  for (const { server } of [openid, hub, chat, games]) {
    server.closeAllConnections();
    server.close();
  }
});

const loopback = 'http://127.0.0.1:25999/';
const nav = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'cross-site' };
interface Started {
  answer: Response;
  to: URL;
  cookie: string;
}
async function begin(query: Record<string, string>, headers: Record<string, string> = {}): Promise<Started> {
  const answer = await api.call('GET', `/_internal/auth/init?${new URLSearchParams(query)}`, { headers });
  const to = new URL(answer.headers.get('location') ?? 'none:', site);
  return { answer, to, cookie: cookiesOf(answer) };
}
const cookiesOf = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
const back = (query: URLSearchParams | Record<string, string>, cookie: string) =>
  api.call('GET', `/_internal/auth/callback?${new URLSearchParams(query)}`, { headers: { cookie, ...nav } });
const locationOf = (answer: Response): URL => new URL(answer.headers.get('location')!, site);
const stateOf = ({ to }: Started): string => to.searchParams.get('state')!;

/** Signs in at the imitation of GitHub. */
async function atHub(url = loopback, headers: Record<string, string> = {}) {
  const started = await begin({ provider: 'github', url }, headers);
  return await back({ state: stateOf(started), code: 'c' }, started.cookie);
}
async function create(state: string, username: string) {
  const json = { username, state, sign_up_newsletter: false };
  return await api.call('POST', '/v2/auth/create/oauth', { json });
}
let made = 0;
const fresh = (): string => `newcomer-${++made}`;
/** Somebody else at the imitation of GitHub from now on. */
let ids = 10_000;
const somebody = (email: string | null = null) => {
  hub.answers['/api/v3/user'] = sends({ id: ++ids, login: 'some one' });
  hub.answers['/api/v3/user/emails'] = sends(email ? [{ email, primary: true, verified: true }] : []);
};
const person = async (proved?: Date) => {
  const { id } = await build.user(database.sql);
  await database.sql`update users set password_hash = 'one' where id = ${id}`;
  const session = await openSession(database.sql, {
    user_id: id,
    user_agent: null,
    now: new Date(),
    ...(proved && { proved }),
  });
  return { id, token: session.session! };
};

describe('a sign-in by each provider', () => {
  test.each(['oidc', 'google', 'microsoft', 'gitlab'])('%s, by a real OpenID provider', async (provider) => {
    const started = await begin({ provider, url: loopback });
    expect(started.answer.status).toBe(307);
    expect(await started.answer.json()).toEqual({ url: String(started.to) });
    expect(started.to.searchParams.get('code_challenge_method')).toBe('S256');
    expect(started.to.searchParams.get('nonce')).toMatch(/^\w{32}$/);
    const returned = await signInAt(String(started.to), `ada-${provider}`);
    const answer = await back(returned.searchParams, started.cookie);
    const to = locationOf(answer);
    expect([answer.status, to.origin]).toEqual([307, new URL(loopback).origin]);
    expect(to.searchParams.get('username')).toBe(`ada-${provider}`);
    expect(to.searchParams.get('requires_dob')).toBe(String(provider === 'gitlab'));
    const created = await create(to.searchParams.get('state')!, `ada-${provider}`);
    expect(created.status).toBe(200);
    const { session } = (await created.json()) as { session: string };
    const user = await (await api.call('GET', '/v2/user', { token: session })).json();
    expect(user).toMatchObject({
      username: `ada-${provider}`,
      email: `ada-${provider}@provider.test`,
      auth_providers: [provider],
      has_password: false,
    });
    // and again, to the same account
    const again = await begin({ provider, url: loopback });
    const other = await back(
      (await signInAt(String(again.to), `ada-${provider}`)).searchParams,
      again.cookie,
    );
    const code = locationOf(other).searchParams.get('code')!;
    expect(code).toMatch(/^mra_\w{60}$/);
    const same = await (await api.call('GET', '/v2/user', { token: code })).json();
    expect(same).toMatchObject({ id: (user as { id: string }).id });
  });

  test('github, with its number as github_id', async () => {
    const to = locationOf(await atHub());
    expect(Object.fromEntries(to.searchParams)).toMatchObject({
      requires_dob: 'true',
      username: 'octo-mirelle',
    });
    const exchange = hub.asked.find(({ path }) => path === '/login/oauth/access_token')!;
    expect(exchange.body.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(exchange.headers.authorization).toBe(`Basic ${btoa('cairn:open-sesame')}`);
    const { session } = (await (await create(to.searchParams.get('state')!, fresh())).json()) as {
      session: string;
    };
    expect(await (await api.call('GET', '/v2/user', { token: session })).json()).toMatchObject({
      github_id: 4711,
      auth_providers: ['github'],
      email: 'octo@provider.test',
    });
  });

  test('discord, whose unverified address is left out', async () => {
    const started = await begin({ provider: 'discord', url: loopback });
    const to = locationOf(await back({ state: stateOf(started), code: 'c' }, started.cookie));
    const { session } = (await (await create(to.searchParams.get('state')!, fresh())).json()) as {
      session: string;
    };
    expect(await (await api.call('GET', '/v2/user', { token: session })).json()).toMatchObject({
      email: null,
    });
  });

  test('steam, which itself says that the answer is genuine', async () => {
    const started = await begin({ provider: 'steam', url: loopback });
    const state = new URL(started.to.searchParams.get('openid.return_to')!).searchParams.get('state')!;
    const query = steamAssertion(started.to, '76561198000000001');
    query.set('state', state);
    const to = locationOf(await back(query, started.cookie));
    expect(to.searchParams.get('requires_dob')).toBe('true');
    expect((await create(to.searchParams.get('state')!, fresh())).status).toBe(200);
  });

  test('a page of ours gets the session as a cookie, never in its address', async () => {
    const name = fresh();
    somebody();
    await create(locationOf(await atHub()).searchParams.get('state')!, name);
    const answer = await atHub(`${site}/auth/sign-in?redirect=%2Fsettings`);
    expect(answer.headers.get('location')).toBe('/settings');
    expect(answer.headers.getSetCookie().join()).toMatch(/auth-token=mra_\w{60};.*HttpOnly/);
    expect(answer.headers.get('location')).not.toContain('mra_');
  });
});

test('two-factor is not gotten around by a provider: a program is told, a page leads to the second step', async () => {
  somebody();
  const created = await create(locationOf(await atHub()).searchParams.get('state')!, fresh());
  const { user_id } = (await created.json()) as { user_id: string };
  await database.sql`insert into two_factor (user_id, totp_secret, created) values (${user_id}, 'sealed', now())`;
  const program = locationOf(await atHub());
  expect(program.searchParams.get('error')).toBe('2fa_required');
  expect(program.searchParams.get('flow')).toMatch(/^\w{48}$/);
  expect(program.searchParams.has('code')).toBe(false);
  const page = await atHub(`${site}/auth/sign-in?redirect=%2Fmods`);
  expect(page.headers.get('location')).toBe('/auth/two-factor?redirect=%2Fmods');
  expect(page.headers.getSetCookie().join()).toMatch(/sign-in-step=\w{48};.*HttpOnly/);
  expect(page.headers.getSetCookie().join()).not.toContain('mra_');
});

test('a sign-in in a browser ends the session that it had', async () => {
  somebody();
  await create(locationOf(await atHub()).searchParams.get('state')!, fresh());
  const { token } = await person();
  const started = await begin({ provider: 'github', url: `${site}/auth/sign-in` });
  await back({ state: stateOf(started), code: 'c' }, `auth-token=${token}; ${started.cookie}`);
  expect((await api.call('GET', '/v2/user', { token })).status).toBe(401);
});

describe('a sign-in is refused', () => {
  const errorOf = (answer: Response) => locationOf(answer).searchParams.get('provider_error');

  test('with an unknown state', async () => {
    const { cookie } = await begin({ provider: 'github', url: loopback });
    expect(errorOf(await back({ state: 'x'.repeat(48), code: 'c' }, cookie))).toBe('flow_invalid');
    expect(errorOf(await back({ code: 'c' }, cookie))).toBe('flow_invalid');
  });

  test('when its callback is replayed', async () => {
    const started = await begin({ provider: 'github', url: loopback });
    const query = { state: stateOf(started), code: 'c' };
    expect(errorOf(await back(query, started.cookie))).toBeNull();
    expect(errorOf(await back(query, started.cookie))).toBe('flow_invalid');
  });

  test.each(['', `sign-in=${'a'.repeat(40)}`, 'sign-in=../../x'])(
    'in another browser: %j',
    async (cookie) => {
      const started = await begin({ provider: 'github', url: loopback });
      expect(errorOf(await back({ state: stateOf(started), code: 'c' }, cookie))).toBe(
        'sign_in_other_browser',
      );
    },
  );

  test('with a code of another sign-in: the challenge of PKCE does not fit', async () => {
    const one = await begin({ provider: 'oidc', url: loopback });
    const other = await begin({ provider: 'oidc', url: loopback });
    const returned = await signInAt(String(one.to), 'grace');
    returned.searchParams.set('state', stateOf(other));
    expect(errorOf(await back(returned.searchParams, other.cookie))).toBe('provider_failed');
  });

  test('with an ID token for another nonce', async () => {
    const started = await begin({ provider: 'oidc', url: loopback });
    started.to.searchParams.set('nonce', 'n'.repeat(32));
    const returned = await signInAt(String(started.to), 'grace');
    expect(errorOf(await back(returned.searchParams, started.cookie))).toBe('provider_failed');
  });

  test('with the answer of another issuer', async () => {
    const started = await begin({ provider: 'oidc', url: loopback });
    const returned = await signInAt(String(started.to), 'grace');
    returned.searchParams.set('iss', 'https://evil.example');
    expect(errorOf(await back(returned.searchParams, started.cookie))).toBe('provider_failed');
  });

  test('when the person declined, so that they can try again', async () => {
    const started = await begin({ provider: 'github', url: `${site}/auth/sign-in?redirect=%2Fmods` });
    const answer = await back({ state: stateOf(started), error: 'access_denied' }, started.cookie);
    const to = locationOf(answer);
    expect(answer.status).toBe(303);
    expect([to.origin, to.pathname]).toEqual([site, '/auth/sign-in']);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      ...{ redirect: '/mods', provider_error: 'provider_declined', provider: 'GitHub' },
    });
  });

  test.each([
    [
      'nonsense',
      (hub: ProviderServer) => {
        hub.answers['/login/oauth/access_token'] = (_a, res) => res.end('<html>');
      },
      'provider_failed',
    ],
    [
      'a list',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = sends([1]);
      },
      'provider_failed',
    ],
    [
      'no id',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = sends({ login: 'x' });
      },
      'provider_failed',
    ],
    [
      'an error',
      (hub: ProviderServer) => {
        hub.answers['/login/oauth/access_token'] = sends({ error: 'bad_verification_code' });
      },
      'provider_failed',
    ],
    [
      'a redirect',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = (_a, res) => res.writeHead(302, { location: '/x' }).end();
      },
      'provider_failed',
    ],
    [
      'too much',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = sends({ id: 1, login: 'x'.repeat(300_000) });
      },
      'provider_failed',
    ],
    [
      'status 500',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = sends({}, 500);
      },
      'provider_away',
    ],
    [
      'half an answer',
      (hub: ProviderServer) => {
        hub.answers['/api/v3/user'] = (_a, res) => {
          res.writeHead(200, { 'content-length': '100' }).write('{');
          res.destroy();
        };
      },
      'provider_away',
    ],
  ])('when the provider answers with %s', async (_what, answers, code) => {
    answers(hub);
    expect(errorOf(await atHub())).toBe(code);
  });

  test('when an answer of Steam is forged, of another attempt, old, or not of Steam', async () => {
    const changes: Array<(query: URLSearchParams, start: URL) => void> = [
      (query) => query.set('openid.sig', 'forged'),
      (query) => query.set('openid.return_to', `${site}/_internal/auth/callback?state=other`),
      (query) => query.set('openid.response_nonce', '2020-01-01T00:00:00Zabc'),
      (query) => query.set('openid.response_nonce', ''),
      (query, start) => {
        for (const key of ['claimed_id', 'identity'])
          query.set(`openid.${key}`, `http://evil.example/?${start.host}/openid/id/1`);
      },
      (query) => query.set('openid.identity', 'http://evil.example/openid/id/2'),
      (query) => query.set('openid.op_endpoint', 'http://evil.example/openid/login'),
      (query) => query.set('openid.signed', 'signed,op_endpoint,return_to,response_nonce,assoc_handle'),
      (query) => query.append('openid.claimed_id', query.get('openid.claimed_id')!),
      (query) => query.set('openid.mode', 'setup_needed'),
    ];
    for (const change of changes) {
      const started = await begin({ provider: 'steam', url: loopback });
      const query = steamAssertion(started.to, '76561198000000009');
      query.set('state', new URL(query.get('openid.return_to')!).searchParams.get('state')!);
      change(query, started.to);
      expect(errorOf(await back(query, started.cookie)), String(change)).toBe('provider_failed');
    }
  });

  test('for an address that an account here has: it is never linked by that alone', async () => {
    const { id, username } = await build.user(database.sql);
    somebody(`${username}@EXAMPLE.test`);
    expect(errorOf(await atHub())).toBe('provider_email_known');
    expect(await database.sql`select 1 from linked_accounts where user_id = ${id}`).toHaveLength(0);
  });
});

describe('where a sign-in leads back', () => {
  test.each([
    'http://127.0.0.1:25999/',
    'http://localhost:1',
    'http://[::1]:65535/x?y=z',
    'https://app.example/back',
    'https://eu.launcher.example/',
  ])('may be %s', async (url) => {
    expect((await begin({ provider: 'github', url })).answer.status).toBe(307);
  });

  test.each([
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example:1',
    'http://127.0.0.1@evil.example/',
    'http://evil.example@127.0.0.1:80/',
    'http://127.0.0.1:80\\@evil.example/',
    'http:\\\\127.0.0.1:80',
    'http:/127.0.0.1:80/',
    '//evil.example/',
    '/settings',
    'javascript:alert(1)//127.0.0.1',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:0/',
    'http://app.example/',
    'https://evil-app.example/',
    'https://app.example.evil.example/',
    'https://launcher.example/',
    'http://127.0.0.1:80/\n',
    'http://evillocalhost/',
    `http://127.0.0.1/${'x'.repeat(3000)}`,
    'launcher://back',
    '',
  ])('may not be %j', async (url) => {
    const { answer } = await begin({ provider: 'github', url });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: { code: 'return_url_foreign' } });
  });

  test('is a page of ours, whatever its own redirect says', async () => {
    somebody();
    await create(locationOf(await atHub()).searchParams.get('state')!, fresh());
    for (const redirect of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const answer = await atHub(`${site}/auth/sign-in?${new URLSearchParams({ redirect })}`);
      expect(answer.headers.get('location')).toBe('/dashboard');
    }
  });

  test('an unknown provider and payment accounts are refused', async () => {
    expect((await begin({ provider: 'nobody', url: loopback })).answer.status).toBe(400);
    expect((await begin({ provider: 'github', url: loopback, auth_token: 'x' })).answer.status).toBe(400);
  });
});

describe('a new account', () => {
  test('a taken or malformed name leaves the step open, a good one ends it', async () => {
    somebody();
    const state = locationOf(await atHub()).searchParams.get('state')!;
    const { username } = await build.user(database.sql);
    expect(await (await create(state, username)).json()).toMatchObject({
      details: { code: 'username_taken' },
    });
    expect((await create(state, 'no spaces')).status).toBe(400);
    expect((await create(state, 'a\0b')).status).toBe(400);
    const both = await Promise.all([create(state, fresh()), create(state, fresh())]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await create(state, fresh())).status).toBe(400);
  });

  test('gets the newsletter when it asks for it, with the address that the provider vouched for', async () => {
    const email = `${fresh()}@provider.test`;
    somebody(email);
    const state = locationOf(await atHub()).searchParams.get('state')!;
    const json = { username: fresh(), state, sign_up_newsletter: true };
    expect((await api.call('POST', '/v2/auth/create/oauth', { json })).status).toBe(200);
    expect(await database.sql`select 1 from newsletter_subscriptions where email = ${email}`).toHaveLength(1);
  });

  test('is not made for programs that tick what people do not see', async () => {
    somebody();
    const state = locationOf(await atHub()).searchParams.get('state')!;
    const json = { username: fresh(), state, account_consent: true };
    expect((await api.call('POST', '/_internal/auth/create/oauth', { json })).status).toBe(400);
  });

  test('on our pages its state is in a cookie, and the welcome page follows', async () => {
    somebody();
    const answer = await atHub(`${site}/auth/sign-in?redirect=%2Fmods`);
    expect(answer.headers.get('location')).toBe('/auth/new-account?redirect=%2Fmods');
    const created = await api.call('POST', '/_internal/auth/new-account', {
      body: String(new URLSearchParams({ username: fresh(), redirect: '/mods' })),
      headers: {
        ...{ 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        cookie: cookiesOf(answer),
      },
    });
    expect(created.headers.get('location')).toBe('/auth/welcome?redirect=%2Fmods');
    expect(created.headers.getSetCookie().join()).toMatch(/auth-token=mra_/);
  });
});

describe('adding and removing an account', () => {
  const own = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const settings = `${site}/settings/account`;
  const link = async (token: string, headers: Record<string, string> = own) =>
    await begin(
      { provider: 'github', url: settings, link: 'true' },
      { cookie: `auth-token=${token}`, ...headers },
    );
  const linked = async (token: string) => {
    const started = await link(token);
    return await back({ state: stateOf(started), code: 'c' }, `auth-token=${token}; ${started.cookie}`);
  };
  const providersOf = async (token: string) =>
    ((await (await api.call('GET', '/v2/user', { token })).json()) as { auth_providers: string[] })
      .auth_providers;
  const unlink = (token: string, provider: string) =>
    api.call('DELETE', '/v2/auth/provider', { token, json: { provider } });

  test('from settings, with a recent proof, and told by mail', async () => {
    somebody();
    const { id, token } = await person();
    const answer = await linked(token);
    expect(answer.headers.get('location')).toBe('/settings/account');
    expect(await providersOf(token)).toEqual(['github']);
    expect((await linked(token)).headers.get('location')).toContain('provider_already_linked');
    expect((await unlink(token, 'github')).status).toBe(204);
    expect((await unlink(token, 'github')).status).toBe(404);
    expect(await providersOf(token)).toEqual([]);
    const mails = await database.sql`select template from mails where user_id = ${id} order by created`;
    expect(mails.map(({ template }) => template).sort()).toEqual([
      'auth_provider_added',
      'auth_provider_removed',
    ]);
  });

  test('an account that somebody has is not taken from them', async () => {
    somebody();
    const [one, other] = [await person(), await person()];
    await linked(one.token);
    expect((await linked(other.token)).headers.get('location')).toContain('provider_linked_elsewhere');
    expect(await providersOf(other.token)).toEqual([]);
  });

  test('an old proof asks for a new one first', async () => {
    const { token } = await person(new Date(Date.now() - 11 * 60_000));
    expect((await link(token)).answer.headers.get('location')).toMatch(/^\/auth\/confirm\?/);
    expect(await (await unlink(token, 'github')).json()).toMatchObject({
      details: { code: 'proof_required' },
    });
  });

  test('the last way to sign in cannot be removed', async () => {
    somebody();
    const created = await create(locationOf(await atHub()).searchParams.get('state')!, fresh());
    const { session } = (await created.json()) as { session: string };
    expect(await (await unlink(session, 'github')).json()).toMatchObject({
      details: { code: 'last_sign_in_method' },
    });
  });

  test('another site cannot begin it, nor a link with the token of somebody else', async () => {
    const { token } = await person();
    const foreign = (await link(token, { ...own, 'sec-fetch-site': 'cross-site' })).answer;
    expect(locationOf(foreign).searchParams.get('provider_error')).toBe('cross_site');
    const other = await person();
    const query = { provider: 'github', url: settings, token: other.token };
    const lured = (await begin(query, { cookie: `auth-token=${token}`, ...nav })).answer;
    expect(locationOf(lured).searchParams.get('provider_error')).toBe('token_invalid');
    const anonymous = (await begin(query, nav)).answer;
    expect(locationOf(anonymous).searchParams.get('provider_error')).toBe('authentication_required');
  });

  test('another account that signed in meanwhile does not get it', async () => {
    somebody();
    const [one, other] = [await person(), await person()];
    const started = await link(one.token);
    const answer = await back(
      { state: stateOf(started), code: 'c' },
      `auth-token=${other.token}; ${started.cookie}`,
    );
    expect(answer.headers.get('location')).toContain('sign_in_other_browser');
    expect(await providersOf(other.token)).toEqual([]);
  });
});

test('the community link is there when it is configured', async () => {
  const { token } = await person();
  expect((await api.call('POST', '/v2/auth/discord-community-link', { token })).status).toBe(404);
});
