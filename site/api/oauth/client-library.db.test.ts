import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import * as oauth from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CreatedClient } from '#db/accounts/oauth/shape.ts';
import { scopesToNumber } from '#db/platform/people/scopes/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

/** The whole way with a client library of others over HTTP: metadata, PKCE, code, token, use, revocation. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
const port = await freePort();
const site = `http://127.0.0.1:${port}`;
const database = testDatabase();
const api = testApi(database, { SITE_URL: site });
const redirect_uri = 'http://127.0.0.1:7777/back';
const insecure = { execute: [oauth.allowInsecureRequests], algorithm: 'oauth2' as const };

let server: Server;
let session = '';
let user_id = '';
beforeAll(async () => {
  user_id = (await build.user(database.sql)).id;
  session = (await openSession(database.sql, { user_id, user_agent: null, now: new Date() }))
    .session as string;
  server = createServer(getRequestListener(api.app.fetch));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterAll(() => server.close());

async function addApp(given: object = {}): Promise<CreatedClient> {
  const max_scopes = scopesToNumber(['USER_READ', 'PROJECT_READ']);
  const json = { name: 'Herons', max_scopes, redirect_uris: [redirect_uri], ...given };
  return (await (await api.call('POST', '/v3/oauth/app', { token: session, json })).json()) as CreatedClient;
}

const callUser = (token: string) =>
  fetch(`${site}/v2/user`, { headers: { authorization: `Bearer ${token}` } });

/** What the user does on the page that the library leads to. */
async function decided(page: URL, what: 'accept' | 'reject'): Promise<URL> {
  expect(page.origin + page.pathname).toBe(`${site}/auth/authorize`);
  const headers = { authorization: session, 'content-type': 'application/json' };
  const asked = await fetch(`${site}/v3/oauth/authorize${page.search}`, { headers });
  const { flow_id } = (await asked.json()) as { flow_id: string };
  const body = JSON.stringify({ flow: flow_id });
  const answer = await fetch(`${site}/v3/oauth/${what}`, { method: 'POST', headers, body });
  return new URL(answer.headers.get('location')!);
}

test.each([
  ['client_secret_basic', (secret: string) => oauth.ClientSecretBasic(secret), {}],
  ['client_secret_post', (secret: string) => oauth.ClientSecretPost(secret), {}],
  ['no secret', () => oauth.None(), { public: true }],
])('a client library signs in, calls and signs out by %s', async (_name, method, given) => {
  const { id, client_secret } = await addApp(given);
  const config = await oauth.discovery(new URL(site), id, undefined, method(client_secret ?? ''), insecure);
  expect(config.serverMetadata().supportsPKCE()).toBe(true);
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const page = oauth.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: 'USER_READ',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const back = await decided(page, 'accept');
  expect(back.href.startsWith(redirect_uri)).toBe(true);
  const checks = { pkceCodeVerifier: verifier, expectedState: state };
  const tokens = await oauth.authorizationCodeGrant(config, back, checks);
  expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'USER_READ', expires_in: 1_209_600 });
  expect(await (await callUser(tokens.access_token)).json()).toMatchObject({ id: user_id });
  await expect(oauth.authorizationCodeGrant(config, back, checks)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  expect((await callUser(tokens.access_token)).status).toBe(401); // a replay ended it
});

test('a client library revokes its token, and hears when the user declines or a verifier is wrong', async () => {
  const { id, client_secret } = await addApp();
  const config = await oauth.discovery(new URL(site), id, client_secret!, undefined, insecure);
  const ask = async () => {
    const verifier = oauth.randomPKCECodeVerifier();
    const code_challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const pkce = { code_challenge, code_challenge_method: 'S256' };
    return {
      verifier,
      page: oauth.buildAuthorizationUrl(config, { redirect_uri, scope: 'PROJECT_READ', ...pkce }),
    };
  };
  const declined = await decided((await ask()).page, 'reject');
  await expect(oauth.authorizationCodeGrant(config, declined)).rejects.toMatchObject({
    error: 'access_denied',
  });
  const first = await ask();
  const wrong = { pkceCodeVerifier: oauth.randomPKCECodeVerifier() };
  await expect(
    oauth.authorizationCodeGrant(config, await decided(first.page, 'accept'), wrong),
  ).rejects.toMatchObject({ error: 'invalid_grant' });
  const { verifier, page } = await ask();
  const headers = { authorization: session };
  const forwarded = await fetch(`${site}/v3/oauth/authorize${page.search}`, { headers });
  const tokens = await oauth.authorizationCodeGrant(config, new URL(forwarded.headers.get('location')!), {
    pkceCodeVerifier: verifier,
  });
  expect((await callUser(tokens.access_token)).status).toBe(401); // without USER_READ
  await oauth.tokenRevocation(config, tokens.access_token);
  const [left] = await database.sql`select count(*)::int as tokens from oauth_tokens`;
  expect(left).toEqual({ tokens: 0 });
});

test('the metadata may be read by pages of other sites', async () => {
  const answer = await fetch(`${site}/.well-known/oauth-authorization-server`);
  expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  expect(await answer.json()).toMatchObject({ issuer: site, code_challenge_methods_supported: ['S256'] });
});
