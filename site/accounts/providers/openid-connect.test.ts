import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openIdConnect } from './openid-connect.ts';
import type { Provider } from './provider.ts';

/** What an OpenID provider may send instead of the truth. */
let server: Server;
let issuer: string;
let key: CryptoKey;
let other: CryptoKey;
let answers: Record<string, unknown>;
let asked: string[];
let provider: Provider;
const now = new Date('2026-11-22T12:00:00Z');
const at = now.getTime() / 1000;
const attempt = { state: 's', verifier: 'v'.repeat(43), nonce: 'right' };
const query = new URLSearchParams({ state: 's', code: 'c' });

const claims = (): JWTPayload => ({
  ...{ iss: issuer, sub: 'ada', aud: 'cairn', exp: at + 300, iat: at, nonce: 'right' },
  ...{ email: 'ada@provider.test', email_verified: true, preferred_username: 'ada' },
});
async function token(payload: JWTPayload, { by = key, kid = 'one', alg = 'RS256' } = {}) {
  answers['/token'] = {
    access_token: 'at',
    id_token: await new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(by),
  };
}
const jwk = async (one: CryptoKey, kid: string) => ({
  ...(await exportJWK(one)),
  kid,
  alg: 'RS256',
  use: 'sig',
});
const finish = () => provider.finish(attempt, query, now);

let publicKeys: CryptoKey[];
beforeAll(async () => {
  const pairs = await Promise.all([0, 1].map(() => generateKeyPair('RS256', { extractable: true })));
  [key, other] = pairs.map(({ privateKey }) => privateKey) as [CryptoKey, CryptoKey];
  publicKeys = pairs.map(({ publicKey }) => publicKey);
  server = createServer((req, res) => {
    asked.push(req.url!);
    const answer = answers[req.url!];
    res.statusCode = answer === undefined ? 404 : 200;
    res.end(JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  asked = [];
  answers = {
    '/.well-known/openid-configuration': {
      ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
      ...{ jwks_uri: `${issuer}/keys`, userinfo_endpoint: `${issuer}/me` },
    },
    '/keys': { keys: [await jwk(publicKeys[0]!, 'one')] },
  };
  const registration = {
    client_id: 'cairn',
    client_secret: 'x',
    callback: 'http://127.0.0.1/cb',
    limit_ms: 2000,
  };
  provider = openIdConnect({ id: 'oidc', name: 'Guild', issuer }, registration);
  await token(claims());
});

test('a right ID token names who it is', async () => {
  expect(await finish()).toEqual({ subject: 'ada', username: 'ada', email: 'ada@provider.test' });
});

test.each<[string, Partial<JWTPayload> | { [name: string]: unknown }]>([
  ['another issuer', { iss: 'https://evil.example' }],
  ['another audience', { aud: 'somebody' }],
  ['several audiences without azp', { aud: ['cairn', 'somebody'] }],
  ['another azp', { azp: 'somebody' }],
  ['another nonce', { nonce: 'wrong' }],
  ['no nonce', { nonce: undefined }],
  ['an end in the past', { exp: at - 61 }],
  ['no end', { exp: undefined }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject with NUL', { sub: 'a\0' }],
  ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
])('an ID token with %s is refused', async (_what, change) => {
  await token({ ...claims(), ...change } as JWTPayload);
  await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
});

describe('the signature of an ID token', () => {
  test('of another key is refused', async () => {
    await token(claims(), { by: other });
    await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
  });

  test('by the secret of the client, or none at all, is refused', async () => {
    const secret = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('x'.repeat(32)));
    const none = `${btoa('{"alg":"none"}').replace(/=/g, '')}.${secret.split('.')[1]}.`;
    for (const id_token of [secret, none, 'x', '']) {
      answers['/token'] = { access_token: 'at', id_token };
      await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
    }
    answers['/token'] = { access_token: 'at' };
    await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
  });

  test('by a new key is accepted once the provider publishes it, asked again after a minute', async () => {
    await finish();
    answers['/keys'] = { keys: [await jwk(publicKeys[1]!, 'two')] };
    await token(claims(), { by: other, kid: 'two' });
    await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
    const later = new Date(now.getTime() + 61_000);
    expect(await provider.finish(attempt, query, later)).toMatchObject({ subject: 'ada' });
    expect(asked.filter((path) => path === '/keys')).toHaveLength(2);
  });
});

test('an unverified address is left out, and a profile of somebody else refused', async () => {
  await token({ ...claims(), email_verified: false });
  expect(await finish()).toMatchObject({ email: null });
  await token({ ...claims(), email: undefined, email_verified: undefined } as JWTPayload);
  answers['/me'] = { sub: 'eve', email: 'eve@provider.test', email_verified: true };
  await expect(finish()).rejects.toMatchObject({ code: 'provider_failed' });
  answers['/me'] = { sub: 'ada', email: 'ada@provider.test', email_verified: true };
  expect(await finish()).toMatchObject({ email: 'ada@provider.test' });
});

test.each([
  ['of another issuer', () => ({ issuer: 'https://evil.example' })],
  ['without an issuer', () => ({ issuer: undefined })],
  ['with a script as an address', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
  ['without keys', () => ({ jwks_uri: undefined })],
])('metadata %s are refused', async (_what, change) => {
  Object.assign(answers['/.well-known/openid-configuration']!, change());
  await expect(provider.start(attempt, now)).rejects.toMatchObject({ code: 'provider_failed' });
});
