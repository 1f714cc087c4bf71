import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import { hashToken } from '#db/platform/secrets/hash.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { browserSession } from './browser-session.ts';
import { signInReturn } from './sign-in-return.ts';

const database = testDatabase();
const api = testApi(database);
const day_ms = 86_400_000;
const start = new Date('2026-11-22T12:00:00Z');
const days = (count: number) => new Date(start.getTime() + count * day_ms);

async function session(now = start) {
  const { id, username } = await build.user(database.sql);
  const { session: token } = await openSession(database.sql, { user_id: id, user_agent: null, now });
  return { id, username, token: token! };
}
const asked = (token: string) =>
  new Request('http://localhost:4321/settings', {
    headers: { cookie: `auth-token=${token}`, 'sec-fetch-site': 'same-origin' },
  });
const tokenIn = (cookies: string[]) => /auth-token=(mra_\w{60});/.exec(cookies.join())?.[1] ?? null;

describe('the session of a browser', () => {
  test('is refreshed once after 14 days, and the new one stored', async () => {
    const { id, token } = await session();
    const valid = await browserSession(asked(token), api.services, days(5));
    expect([valid.actor?.user_id, valid.cookies]).toEqual([id, []]);
    const renewed = await browserSession(asked(token), api.services, days(40));
    expect(renewed.actor?.user_id).toBe(id);
    const next = tokenIn(renewed.cookies)!;
    expect(next).not.toBe(token);
    expect((await browserSession(asked(next), api.services, days(41))).actor?.user_id).toBe(id);
  });

  test('that is refreshed by many tabs at once becomes one new session for all of them', async () => {
    const { id, token } = await session();
    const found = await Promise.all(
      Array.from({ length: 12 }, () => browserSession(asked(token), api.services, days(20))),
    );
    expect(new Set(found.map(({ actor }) => actor?.user_id))).toEqual(new Set([id]));
    const tokens = new Set(found.map(({ cookies }) => tokenIn(cookies)));
    expect(tokens.size).toBe(1);
    expect(tokens.has(null)).toBe(false);
    expect(await database.sql`select 1 from sessions where user_id = ${id}`).toHaveLength(1);
  });

  test('gives the new token to requests under way for a minute, not later, and not once it was ended', async () => {
    const { id, token } = await session();
    const at = days(20);
    const first = tokenIn((await browserSession(asked(token), api.services, at)).cookies);
    const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);
    expect(tokenIn((await browserSession(asked(token), api.services, later(59))).cookies)).toBe(first);
    const late = await browserSession(asked(token), api.services, later(61));
    expect([late.actor, tokenIn(late.cookies)]).toEqual([null, null]);
    const again = await session();
    await browserSession(asked(again.token), api.services, at);
    await database.sql`delete from sessions where user_id = ${again.id}`;
    expect((await browserSession(asked(again.token), api.services, later(5))).actor).toBeNull();
    expect(id).not.toBe(again.id);
  });

  test('the table of replaced sessions holds no usable token', async () => {
    const { token } = await session();
    const next = tokenIn((await browserSession(asked(token), api.services, days(20))).cookies)!;
    const rows = JSON.stringify(await database.sql`select * from replaced_sessions`);
    for (const secret of [token, next, hashToken(next)]) expect(rows).not.toContain(secret);
  });

  test.each(['mra_x', `mra_${'x'.repeat(60)}`, `mra_${'x'.repeat(60)}%00`])(
    'a tampered cookie is deleted: %s',
    async (token) => {
      const { actor, cookies } = await browserSession(asked(token), api.services, start);
      expect(actor).toBeNull();
      expect(cookies.join()).toMatch(/^auth-token=; Max-Age=0/);
    },
  );

  test('ends after 60 days, and its cookie is deleted', async () => {
    const { token } = await session();
    const { actor, cookies } = await browserSession(asked(token), api.services, days(61));
    expect(actor).toBeNull();
    expect(cookies.join()).toMatch(/^auth-token=; Max-Age=0/);
  });

  test('is not refreshed for another site', async () => {
    const { token } = await session();
    const request = asked(token);
    request.headers.set('sec-fetch-site', 'cross-site');
    const foreign = await browserSession(request, api.services, days(20));
    expect(foreign).toEqual({ actor: null, cookies: [] });
  });

  test('is renewed by the call that every open page makes, many at once', async () => {
    const { username, token } = await session(new Date(Date.now() - 20 * day_ms));
    const call = (headers: Record<string, string>) =>
      api.call('POST', '/_internal/viewer', {
        json: {},
        headers: { 'sec-fetch-site': 'same-origin', ...headers },
      });
    const answers = await Promise.all([1, 2, 3, 4].map(() => call({ cookie: `auth-token=${token}` })));
    for (const answer of answers) expect(await answer.json()).toMatchObject({ user: { username } });
    const renewed = new Set(answers.map((answer) => tokenIn(answer.headers.getSetCookie())));
    expect([renewed.size, renewed.has(null)]).toEqual([1, false]);
    const broken = await call({ cookie: `auth-token=mra_${'x'.repeat(60)}` });
    expect(await broken.json()).toMatchObject({ user: null });
    expect(broken.headers.getSetCookie().join()).toContain('auth-token=;');
  });
});

describe('coming back from signing in', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    const returned = signInReturn(api.services);
    server = createServer(async (req, res) => {
      if (!(await returned(req, res))) res.writeHead(200).end('page');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  const visit = (path: string, cookie = '') => fetch(url + path, { redirect: 'manual', headers: { cookie } });

  test('a token in the address becomes a cookie in the browser whose sign-in made it', async () => {
    const { token } = await session(new Date());
    const answer = await visit(`/mods?q=x&code=${token}`, `sign-in-return=${hashToken(token)}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mods?q=x']);
    expect(tokenIn(answer.headers.getSetCookie())).toBe(token);
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('a link with the token of somebody else signs nobody in, and the token leaves the address', async () => {
    const { token } = await session(new Date());
    for (const cookie of ['', `sign-in-return=${hashToken('other')}`, `sign-in-return=${token}`]) {
      const answer = await visit(`/mods?code=${token}`, cookie);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/mods']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const unknown = `mra_${'x'.repeat(60)}`;
    const answer = await visit(`/?code=${unknown}`, `sign-in-return=${hashToken(unknown)}`);
    expect([answer.headers.get('location'), answer.headers.getSetCookie()]).toEqual(['/', []]);
  });

  test('a new account is led to the welcome page', async () => {
    expect((await visit('/mods?new_account=true&q=x')).headers.get('location')).toBe(
      '/auth/welcome?redirect=%2Fmods%3Fq%3Dx',
    );
    const { token } = await session(new Date());
    const cookie = `sign-in-return=${hashToken(token)}`;
    const both = await visit(`/mods?new_account=true&code=${token}`, cookie);
    expect(both.headers.get('location')).toBe('/auth/welcome?redirect=%2Fmods');
    expect(tokenIn(both.headers.getSetCookie())).toBe(token);
    const given = await visit(`/auth/welcome?authToken=${token}&redirect=%2Fmods`, cookie);
    expect(given.headers.get('location')).toBe('/auth/welcome?redirect=%2Fmods');
    expect(tokenIn(given.headers.getSetCookie())).toBe(token);
  });

  test.each([
    '/mods?code=abc',
    '/auth/authorize?code=mrx_1',
    '/mods?authToken=x',
    '/auth/welcome?new_account=true',
    '/',
  ])('other addresses are left alone: %s', async (path) => {
    expect((await visit(path)).status).toBe(200);
  });

  test('no address leads to another site', async () => {
    const answer = await visit('//evil.example/?new_account=true');
    expect(answer.headers.get('location') ?? '').not.toMatch(/^\/\/|^https?:/);
  });
});
