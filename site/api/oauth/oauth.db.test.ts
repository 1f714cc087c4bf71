import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CreatedClient, OAuthClient } from '#db/accounts/oauth/shape.ts';
import { actorsOf } from '#db/platform/people/read.ts';
import { scopesToNumber } from '#db/platform/people/scopes/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** The whole of api-v3 §3.11, row by row, and what attackers try. */
const database = testDatabase();
const api = testApi(database, { SITE_URL: 'http://127.0.0.1:4321' });
const iss = encodeURIComponent('http://127.0.0.1:4321');
const scopes = scopesToNumber(['USER_READ', 'USER_READ_EMAIL', 'NOTIFICATION_READ']);
const back = 'https://app.example/back';

let ada: build.BuiltUser;
let owner = '';
let session = '';
let stranger = '';
let app: CreatedClient;
let other: CreatedClient;

const signIn = async ({ id }: { id: string }) =>
  (await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() })).session as string;
async function addApp(given: object = {}, token = owner): Promise<CreatedClient> {
  const json = { name: 'Herons', max_scopes: scopes, redirect_uris: [back, `${back}?a=b`], ...given };
  const answer = await api.call('POST', '/v3/oauth/app', { token, json });
  expect(answer.status).toBe(200);
  return (await answer.json()) as CreatedClient;
}

beforeAll(async () => {
  ada = await build.user(database.sql);
  session = await signIn(ada);
  owner = await signIn(await build.user(database.sql));
  stranger = await signIn(await build.user(database.sql));
});
beforeEach(async () => {
  api.services.now = () => new Date();
  await database.sql`delete from oauth_clients`;
  [app, other] = [await addApp(), await addApp({ name: 'Other' })];
});

const ask = (query: Record<string, string> | string, token = session) =>
  api.call('GET', `/v3/oauth/authorize?${new URLSearchParams(query)}`, { token });
const decide = (flow: string, what = 'accept', token = session) =>
  api.call('POST', `/v3/oauth/${what}`, { token, json: { flow } });
const form = (fields: Record<string, string>) => ({
  body: String(new URLSearchParams(fields)),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const exchange = (fields: Record<string, string>, secret: string | null = app.client_secret) =>
  api.call('POST', '/v3/oauth/token', {
    ...form({ grant_type: 'authorization_code', client_id: app.id, ...fields }),
    ...(secret !== null && { token: secret }),
  });
const locationOf = (answer: Response) => new URL(answer.headers.get('location') ?? 'none:');

/** A code by the whole way of the user, or at once when the app is authorized already. */
async function codeOf(query: Record<string, string> = {}): Promise<string> {
  const asked = await ask({ client_id: app.id, ...query });
  if (asked.headers.has('location')) return locationOf(asked).searchParams.get('code')!;
  const { flow_id } = (await asked.json()) as { flow_id: string };
  return locationOf(await decide(flow_id)).searchParams.get('code')!;
}
const tokenOf = async (fields: Record<string, string>) =>
  ((await (await exchange(fields)).json()) as { access_token: string }).access_token;
const works = async (token: string) => (await api.call('GET', '/v2/user', { token })).status;

describe('an app', () => {
  test('is shown to everybody without its secret, which is shown once', async () => {
    expect(app.client_secret).toMatch(/^[0-9A-Za-z]{32}$/);
    const { client_secret: _, ...shown } = app;
    expect(await (await api.call('GET', `/v3/oauth/app/${app.id}`)).json()).toEqual(shown);
    const both = await api.call('GET', `/v3/oauth/apps?ids=${other.id},${app.id},AAAAAAAA`);
    expect(((await both.json()) as OAuthClient[]).map(({ id }) => id)).toEqual([other.id, app.id]);
    expect((await api.call('GET', '/v3/oauth/app/AAAAAAAA')).status).toBe(404);
    expect((await api.call('GET', '/v3/oauth/app/a%00b')).status).toBe(404);
    const stored = await database.sql`select * from oauth_clients where id = ${app.id}`;
    expect(JSON.stringify(stored)).not.toContain(app.client_secret);
  });

  test('is refused with restricted scopes, too short a name or redirect addresses that are none', async () => {
    const good = { name: 'Herons', max_scopes: scopes, redirect_uris: [back] };
    const wrong = [
      { max_scopes: scopesToNumber(['SESSION_ACCESS']) },
      { max_scopes: -1 },
      { name: 'ab' },
      { name: '   a   ' },
      { name: 'a\0bc' },
      { name: 'x'.repeat(256) },
      { redirect_uris: ['javascript:alert(1)'] },
      { redirect_uris: ['https://app.example/#x'] },
      { redirect_uris: Array.from({ length: 21 }, (_, at) => `${back}/${at}`) },
      { url: 'javascript:alert(1)' },
      { url: `https://app.example/${'x'.repeat(255)}` },
      { description: 'x'.repeat(256) },
    ];
    for (const part of wrong) {
      const answer = await api.call('POST', '/v3/oauth/app', { token: owner, json: { ...good, ...part } });
      expect([part, answer.status]).toEqual([part, 400]);
    }
  });

  test('is changed and deleted by its owner and moderators only', async () => {
    const edit = (token: string, json: object) =>
      api.call('PATCH', `/v3/oauth/app/${app.id}`, { token, json });
    expect((await edit(stranger, { name: 'Taken over' })).status).toBe(401);
    expect((await edit(owner, { name: 'Herons 2', redirect_uris: [back], url: null })).status).toBe(200);
    const moderator = await signIn(await build.user(database.sql, { role: 'moderator' }));
    expect((await edit(moderator, { description: 'Spam' })).status).toBe(200);
    const shown = (await (await api.call('GET', `/v3/oauth/app/${app.id}`)).json()) as OAuthClient;
    expect(shown).toMatchObject({ name: 'Herons 2', description: 'Spam', max_scopes: scopes });
    expect(shown.redirect_uris).toEqual([app.redirect_uris[0]]);
    const remove = (token: string) => api.call('DELETE', `/v3/oauth/app/${app.id}`, { token });
    expect((await remove(stranger)).status).toBe(401);
    expect((await remove(owner)).status).toBe(204);
    expect((await remove(owner)).status).toBe(404);
  });

  test('is listed for its owner and admins, and managed by no token', async () => {
    const { created_by } = app;
    const list = (token: string) => api.call('GET', `/v3/user/${created_by}/oauth_apps`, { token });
    const ids = ((await (await list(owner)).json()) as OAuthClient[]).map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([app.id, other.id]));
    expect((await list(stranger)).status).toBe(401);
    const admin = await signIn(await build.user(database.sql, { role: 'admin' }));
    expect((await list(admin)).status).toBe(200);
    const token = await build.token(database.sql, ada);
    const json = { name: 'By a token', max_scopes: 0, redirect_uris: [] };
    expect((await api.call('POST', '/v3/oauth/app', { token, json })).status).toBe(401);
    expect((await ask({ client_id: app.id }, token)).status).toBe(401);
  });
});

describe('a user', () => {
  test('is asked, accepts, and the app gets a token that does what was asked for and no more', async () => {
    const asked = await ask({ client_id: app.id, scope: 'USER_READ', state: 'a b&c', redirect_uri: back });
    expect(asked.status).toBe(200);
    expect(await asked.clone().json()).toEqual({
      flow_id: expect.stringMatching(/^\w{40,}$/),
      client_id: app.id,
      client_name: 'Herons',
      client_icon: null,
      requested_scopes: scopesToNumber(['USER_READ']),
    });
    const { flow_id } = (await asked.json()) as { flow_id: string };
    const accepted = await decide(flow_id);
    expect([accepted.status, await accepted.clone().text()]).toEqual([200, expect.any(String)]);
    expect(await accepted.text()).toBe(accepted.headers.get('location'));
    const to = locationOf(accepted);
    expect(to.origin + to.pathname).toBe(back);
    expect(to.searchParams.get('state')).toBe('a b&c');
    expect(to.searchParams.get('iss')).toBe('http://127.0.0.1:4321');
    const answer = await exchange({ code: to.searchParams.get('code')!, redirect_uri: back });
    expect(answer.status).toBe(200);
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual([
      'no-store',
      'no-cache',
    ]);
    const issued = (await answer.json()) as { access_token: string };
    expect(issued).toEqual({
      access_token: expect.stringMatching(/^mro_[0-9A-Za-z]{60}$/),
      token_type: 'Bearer',
      expires_in: 1_209_600,
      scope: 'USER_READ',
    });
    const me = await api.call('GET', '/v2/user', { token: issued.access_token });
    expect(await me.json()).toMatchObject({ id: ada.id, email: null });
    expect(
      (await api.call('GET', `/v2/user/${ada.id}/notifications`, { token: issued.access_token })).status,
    ).toBe(401);
    expect((await api.call('GET', '/v3/oauth/authorizations', { token: issued.access_token })).status).toBe(
      401,
    );
    const stored = await database.sql`select * from oauth_tokens`;
    expect(JSON.stringify(stored)).not.toContain(issued.access_token);
  });

  test('who declines leads the app back with access_denied and the state', async () => {
    const asked = await ask({ client_id: app.id, state: 's', redirect_uri: `${back}?a=b` });
    const { flow_id } = (await asked.json()) as { flow_id: string };
    const rejected = await decide(flow_id, 'reject');
    expect(rejected.status).toBe(200);
    expect(await rejected.text()).toBe(
      `${back}?a=b&error=access_denied&error_description=${encodeURIComponent('The user declined the request.')}&state=s&iss=${iss}`,
    );
    expect((await decide(flow_id)).status).toBe(400);
  });

  test('is led on at once when the app has the scopes already, and asked again for more', async () => {
    await codeOf({ scope: 'USER_READ USER_READ_EMAIL' });
    const again = await ask({ client_id: app.id, scope: 'USER_READ', state: 's' });
    expect([again.status, await again.clone().text()]).toEqual([200, again.headers.get('location')]);
    expect(locationOf(again).searchParams.get('code')).toBeTruthy();
    const more = await ask({ client_id: app.id, scope: 'USER_READ NOTIFICATION_READ' });
    expect(more.headers.get('location')).toBeNull();
  });

  test('lists and revokes authorizations, which ends tokens and open codes at once', async () => {
    const token = await tokenOf({ code: await codeOf() });
    const code = await codeOf();
    expect(await works(token)).toBe(200);
    expect((await actorsOf(database.sql, [token], new Date())).get(token)).toMatchObject({ user_id: ada.id });
    const list = async () =>
      (await (await api.call('GET', '/v3/oauth/authorizations', { token: session })).json()) as object[];
    expect(await list()).toContainEqual(expect.objectContaining({ app_id: app.id, user_id: ada.id, scopes }));
    const revoke = (by: string) =>
      api.call('DELETE', `/v3/oauth/authorizations?client_id=${app.id}`, { token: by });
    expect((await revoke(stranger)).status).toBe(200);
    expect(await works(token)).toBe(200);
    expect((await revoke(session)).status).toBe(200);
    expect(await works(token)).toBe(401);
    expect((await actorsOf(database.sql, [token], new Date())).size).toBe(0);
    expect((await (await exchange({ code })).json()) as object).toMatchObject({ error: 'invalid_grant' });
    expect(await list()).not.toContainEqual(expect.objectContaining({ app_id: app.id }));
  });

  test('takes some scopes away, at once for tokens that exist, and is asked again for them', async () => {
    const token = await tokenOf({ code: await codeOf() });
    const email = async () => {
      const answer = await api.call('GET', '/v2/user', { token });
      return answer.status === 200
        ? ((await answer.json()) as { email: string | null }).email
        : answer.status;
    };
    expect(await email()).toContain('@');
    const narrow = (fields: Record<string, string>) =>
      api.call('POST', '/_internal/authorizations/narrow', {
        headers: { ...form({}).headers, cookie: `auth-token=${session}`, 'sec-fetch-site': 'same-origin' },
        body: String(new URLSearchParams({ client_id: app.id, ...fields })),
      });
    expect((await narrow({ scope_USER_READ: 'on', scope_USER_WRITE: 'on' })).status).toBe(303);
    expect(await email()).toBeNull();
    expect((await ask({ client_id: app.id, scope: 'USER_READ' })).headers.has('location')).toBe(true);
    expect((await ask({ client_id: app.id, scope: 'USER_READ_EMAIL' })).headers.has('location')).toBe(false);
    expect((await narrow({})).status).toBe(303);
    expect(await email()).toBe(401);
  });

  test('does not decide what somebody else was asked', async () => {
    const { flow_id } = (await (await ask({ client_id: app.id })).json()) as { flow_id: string };
    const taken = await decide(flow_id, 'accept', stranger);
    expect([taken.status, ((await taken.json()) as { error: string }).error]).toEqual([400, 'server_error']);
  });

  test('who waits longer than 30 minutes starts again', async () => {
    const { flow_id } = (await (await ask({ client_id: app.id })).json()) as { flow_id: string };
    api.services.now = () => new Date(Date.now() + 30 * 60_000 + 1000);
    expect(await (await decide(flow_id)).json()).toMatchObject({ error: 'server_error' });
  });
});

describe('what is wrong before the redirect address is known is said here, and leads nowhere', () => {
  test.each<[string, () => Record<string, string>, string]>([
    ['a malformed client', () => ({ client_id: 'no id!' }), 'invalid_request'],
    ['no client', () => ({}), 'invalid_request'],
    ['an unknown client', () => ({ client_id: 'AAAAAAAA' }), 'invalid_client'],
    [
      'a foreign address',
      () => ({ client_id: app.id, redirect_uri: 'https://evil.example/' }),
      'invalid_uri',
    ],
    ['another path', () => ({ client_id: app.id, redirect_uri: `${back}/../x` }), 'invalid_uri'],
    ['another query', () => ({ client_id: app.id, redirect_uri: `${back}?a=c` }), 'invalid_uri'],
    ['an empty address', () => ({ client_id: app.id, redirect_uri: '' }), 'invalid_uri'],
    ['a script', () => ({ client_id: app.id, redirect_uri: 'javascript:alert(1)' }), 'invalid_uri'],
  ])('%s', async (_what, query, error) => {
    const answer = await ask(query());
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
    expect(await answer.json()).toMatchObject({ error, description: expect.any(String) });
  });

  test('an app without addresses, and one address asked for twice', async () => {
    const none = await addApp({ redirect_uris: [] });
    expect(await (await ask({ client_id: none.id })).json()).toMatchObject({ error: 'invalid_uri' });
    const twice = `client_id=${app.id}&redirect_uri=${encodeURIComponent(back)}&redirect_uri=https://evil.example/`;
    expect(await (await ask(twice)).json()).toMatchObject({ error: 'invalid_uri' });
  });

  test('nobody signed in', async () => {
    expect((await api.call('GET', `/v3/oauth/authorize?client_id=${app.id}`)).status).toBe(401);
    expect((await ask({ client_id: app.id }, 'mra_nonsense')).status).toBe(401);
  });
});

describe('what is wrong after that leads back to the app', () => {
  test.each<[string, Record<string, string>, string]>([
    ['broader scopes than the app may have', { scope: 'USER_READ PROJECT_WRITE' }, 'invalid_scope'],
    ['restricted scopes', { scope: 'SESSION_ACCESS' }, 'invalid_scope'],
    ['scopes that do not exist', { scope: 'openid' }, 'invalid_scope'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'a plain challenge',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['a challenge without a method', { code_challenge: 'x'.repeat(43) }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'x', code_challenge_method: 'S256' }, 'invalid_request'],
    ['a state with a line break', { state: 'a\r\nlocation: https://evil.example' }, 'invalid_request'],
    ['a state with NUL', { state: 'a\0' }, 'invalid_request'],
    ['a state without end', { state: 'x'.repeat(2001) }, 'invalid_request'],
  ])('%s', async (_what, query, error) => {
    const answer = await ask({ client_id: app.id, redirect_uri: back, ...query });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(answer.headers.get('location'));
    const to = locationOf(answer);
    expect(to.origin + to.pathname).toBe(back);
    expect(to.searchParams.get('error')).toBe(error);
    expect(to.searchParams.get('state')).toBe(error === 'invalid_request' ? null : (query.state ?? null));
  });
});

describe('a code', () => {
  test('is used up by the first call with a right secret, and a replay ends the token', async () => {
    const code = await codeOf();
    const wrong = await exchange({ code }, 'x'.repeat(32));
    expect([wrong.status, ((await wrong.json()) as { error: string }).error]).toEqual([
      401,
      'invalid_client',
    ]);
    const token = await tokenOf({ code });
    expect(await works(token)).toBe(200);
    const replay = await exchange({ code });
    expect([replay.status, ((await replay.json()) as { error: string }).error]).toEqual([
      400,
      'invalid_grant',
    ]);
    expect(await works(token)).toBe(401);
  });

  test('is used up even when a later check fails', async () => {
    const wrongly: Array<[Record<string, string>, string]> = [
      [{ redirect_uri: back }, 'invalid_request'],
      [{ grant_type: 'password' }, 'invalid_grant'],
      [{ code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ];
    for (const [fields, error] of wrongly) {
      const code = await codeOf();
      const answer = await exchange({ code, ...fields });
      expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error })]);
      expect(await (await exchange({ code })).json()).toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('of one app is worth nothing to another, not even as a guess', async () => {
    const code = await codeOf();
    const stolen = await api.call('POST', '/v3/oauth/token', {
      ...form({ grant_type: 'authorization_code', client_id: other.id, code }),
      token: other.client_secret!,
    });
    expect([stolen.status, await stolen.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'unauthorized_client' }),
    ]);
    expect(await (await exchange({ code })).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('is sent back with the redirect address of the first request, or without one as then', async () => {
    const sent = await codeOf({ redirect_uri: back });
    expect(await (await exchange({ code: sent })).json()).toMatchObject({ error: 'invalid_request' });
    const again = await codeOf({ redirect_uri: back });
    expect((await exchange({ code: again, redirect_uri: back })).status).toBe(200);
  });

  test('expires after ten minutes', async () => {
    const code = await codeOf();
    api.services.now = () => new Date(Date.now() + 10 * 60_000 + 1000);
    expect(await (await exchange({ code })).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('that is exchanged twice at once gives one token at most, and the replay ends it', async () => {
    const code = await codeOf();
    const answers = await Promise.all([1, 2, 3].map(() => exchange({ code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const won = answers.find(({ status }) => status === 200)!;
    expect(await works(((await won.json()) as { access_token: string }).access_token)).toBe(401);
  });
});

test('an access token ends after two weeks, with its app, and with the scopes of its app', async () => {
  const token = await tokenOf({ code: await codeOf() });
  expect(await works(token)).toBe(200);
  await api.call('PATCH', `/v3/oauth/app/${app.id}`, {
    token: owner,
    json: { max_scopes: scopesToNumber(['NOTIFICATION_READ']) },
  });
  expect(await works(token)).toBe(401);
  await api.call('PATCH', `/v3/oauth/app/${app.id}`, { token: owner, json: { max_scopes: scopes } });
  api.services.now = () => new Date(Date.now() + 1_209_600_000 + 1000);
  expect(await works(token)).toBe(401);
  api.services.now = () => new Date();
  await api.call('DELETE', `/v3/oauth/app/${app.id}`, { token: owner });
  expect(await works(token)).toBe(401);
});

test('an account that is deleted takes its apps with it, and what it granted', async () => {
  const maker = await build.user(database.sql);
  const token = await signIn(maker);
  const own = await addApp({ name: 'Short-lived' }, token);
  const asked = await ask({ client_id: app.id }, token);
  const { flow_id } = (await asked.json()) as { flow_id: string };
  const code = locationOf(await decide(flow_id, 'accept', token)).searchParams.get('code')!;
  const granted = await tokenOf({ code });
  expect(await works(granted)).toBe(200);
  expect((await api.call('DELETE', `/v2/user/${maker.id}`, { token })).status).toBe(204);
  expect((await api.call('GET', `/v3/oauth/app/${own.id}`)).status).toBe(404);
  expect(await works(granted)).toBe(401);
});

describe('the token endpoint', () => {
  test.each<
    [string, () => { headers?: Record<string, string>; fields?: Record<string, string> }, number, string]
  >([
    ['an unknown client', () => ({ fields: { client_id: 'AAAAAAAA' } }), 400, 'invalid_client'],
    ['a malformed client', () => ({ fields: { client_id: 'a\0' } }), 400, 'invalid_request'],
    ['no secret', () => ({ fields: { client_id: app.id } }), 401, 'invalid_client'],
    ['an empty secret', () => ({ fields: { client_id: app.id, client_secret: '' } }), 401, 'invalid_client'],
    [
      'the secret of another app',
      () => ({ fields: { client_id: app.id, client_secret: other.client_secret! } }),
      401,
      'invalid_client',
    ],
    [
      'two ways at once',
      () => ({
        headers: { authorization: app.client_secret! },
        fields: { client_id: app.id, client_secret: app.client_secret! },
      }),
      400,
      'invalid_request',
    ],
    [
      'another client in the header',
      () => ({
        headers: { authorization: `Basic ${btoa(`${other.id}:${other.client_secret}`)}` },
        fields: { client_id: app.id },
      }),
      400,
      'invalid_request',
    ],
    [
      'no code',
      () => ({ headers: { authorization: app.client_secret! }, fields: { client_id: app.id } }),
      400,
      'invalid_grant',
    ],
  ])('refuses %s', async (_what, given, status, error) => {
    const { headers = {}, fields = {} } = given();
    const sent = form({ grant_type: 'authorization_code', ...fields });
    const answer = await api.call('POST', '/v3/oauth/token', {
      ...sent,
      headers: { ...sent.headers, ...headers },
    });
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining({ error })]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.has('www-authenticate')).toBe(status === 401);
  });

  test('refuses a parameter that comes twice, and a body without end', async () => {
    const body = `client_id=${app.id}&client_id=${other.id}`;
    const { headers } = form({});
    expect((await api.call('POST', '/v3/oauth/token', { body, headers })).status).toBe(400);
    const long = 'x'.repeat(20_000);
    expect((await api.call('POST', '/v3/oauth/token', { body: long, headers })).status).toBe(413);
  });
});

describe('an app without a secret', () => {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const challenge = { code_challenge, code_challenge_method: 'S256' };
  let device: CreatedClient;
  beforeEach(async () => {
    device = await addApp({ public: true, redirect_uris: ['http://127.0.0.1/back'] });
    expect(device.client_secret).toBeNull();
  });
  const redirect_uri = 'http://127.0.0.1:49152/back';
  async function codeOfDevice(): Promise<string> {
    const asked = await ask({ client_id: device.id, redirect_uri, ...challenge });
    const { flow_id } = (await asked.json()) as { flow_id: string };
    const to = locationOf(await decide(flow_id));
    expect(to.origin + to.pathname).toBe(redirect_uri);
    return to.searchParams.get('code')!;
  }
  const exchangeOfDevice = (fields: Record<string, string>, secret: string | null = null) =>
    exchange({ client_id: device.id, redirect_uri, ...fields }, secret);

  test('needs a challenge, and the verifier of it', async () => {
    const bare = await ask({ client_id: device.id, redirect_uri });
    expect(locationOf(bare).searchParams.get('error')).toBe('invalid_request');
    const wrong: Array<Record<string, string>> = [
      {},
      { code_verifier: 'y'.repeat(43) },
      { code_verifier: '' },
    ];
    for (const fields of wrong) {
      const code = await codeOfDevice();
      expect(await (await exchangeOfDevice({ code, ...fields })).json()).toMatchObject({
        error: 'invalid_grant',
      });
    }
    const code = await codeOfDevice();
    expect((await exchangeOfDevice({ code, code_verifier: verifier })).status).toBe(200);
  });

  test('has no secret that could be right', async () => {
    const code = await codeOfDevice();
    expect((await exchangeOfDevice({ code, code_verifier: verifier }, 'anything')).status).toBe(401);
  });

  test('is asked for each time, because any program can pose as it', async () => {
    await codeOfDevice();
    const again = await ask({ client_id: device.id, redirect_uri, ...challenge });
    expect(again.headers.get('location')).toBeNull();
  });
});

test('a token is revoked by its app only, and an unknown one is no error', async () => {
  const token = await tokenOf({ code: await codeOf() });
  const revoke = (by: CreatedClient, given: string) =>
    api.call('POST', '/v3/oauth/revoke', {
      ...form({ client_id: by.id, client_secret: by.client_secret!, token: given }),
    });
  expect((await revoke(other, token)).status).toBe(200);
  expect(await works(token)).toBe(200);
  expect((await revoke(app, 'mro_unknown')).status).toBe(200);
  expect((await revoke({ ...app, client_secret: 'wrong' }, token)).status).toBe(401);
  expect((await revoke(app, token)).status).toBe(200);
  expect(await works(token)).toBe(401);
});

test('the same routes answer below /_internal, where the cookie of another site counts for nothing', async () => {
  const path = `/_internal/oauth/authorize?client_id=${app.id}`;
  const { flow_id } = (await (await api.call('GET', path, { token: session })).json()) as { flow_id: string };
  const headers = { cookie: `auth-token=${session}`, 'sec-fetch-site': 'cross-site' };
  const forged = await api.call('POST', '/_internal/oauth/accept', { headers, json: { flow: flow_id } });
  expect(forged.status).toBe(401);
  const own = { ...headers, 'sec-fetch-site': 'same-origin' };
  const accepted = await api.call('POST', '/_internal/oauth/accept', {
    headers: own,
    json: { flow: flow_id },
  });
  expect(accepted.status).toBe(200);
});
