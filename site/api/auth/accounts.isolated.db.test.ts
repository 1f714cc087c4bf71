import { hash, verify } from '@node-rs/argon2';
import { Piscina } from 'piscina';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSession } from '#db/platform/people/session.ts';
import { countingQueries } from '#db/testing/count-queries.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword, person } from '../../testing/signed-in.ts';

vi.mock('@node-rs/argon2', { spy: true });

const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });
const call = (
  path: string,
  json: unknown,
  more: { address?: string; headers?: Record<string, string> } = {},
) => api.call('POST', `/v2/auth/${path}`, { json, ...more });
const bodyOf = async (answer: Response) => (await answer.json()) as Record<string, never>;
afterEach(() => vi.clearAllMocks());

let made = 0;
const fresh = () => {
  const username = `maker-${++made}`;
  return { username, email: `${username}@example.test`, password: goodPassword };
};

describe('an account', () => {
  test('is created with a session', async () => {
    const fields = fresh();
    expect((await call('create/validate', fields)).status).toBe(204);
    const answer = await call('create', { ...fields, sign_up_newsletter: false, account_consent: false });
    const { session } = (await answer.json()) as { session: string };
    const me = await api.call('GET', '/v2/user', { token: session });
    expect(await bodyOf(me)).toMatchObject({
      username: fields.username,
      has_password: true,
      has_totp: false,
    });
  });

  test.each([
    ['username_taken', { username: 'TAKEN' }],
    ['duplicate_email', { email: 'TAKEN@example.test' }],
    ['weak_password', { password: 'password1' }],
    ['weak_password', { password: 'aeaeaeaeae' }],
    ['invalid_input', { password: 'short' }],
    ['invalid_input', { username: 'a b' }],
    ['invalid_input', { email: 'nothing' }],
    ['invalid_input', { email: 'a\0@example.test' }],
    ['invalid_input', { username: 'x'.repeat(2000) }],
    ['invalid_input', { account_consent: true }],
  ])('is refused with %s: %j', async (error, wrong) => {
    await call('create', { username: 'taken', email: 'taken@example.test', password: goodPassword });
    for (const path of ['create', 'create/validate']) {
      const answer = await call(path, { ...fresh(), ...wrong });
      expect([answer.status, (await bodyOf(answer)).error]).toEqual([400, error]);
    }
  });

  test('has its password rated once and hashed once, and not hashed when it is refused', async () => {
    const threads = vi.spyOn(Piscina.prototype, 'run');
    const rated = () => threads.mock.calls.filter(([task]) => task.name === 'estimate').length;
    const fields = fresh();
    vi.mocked(hash).mockClear();
    expect((await call('create', { ...fields, username: 'a b' })).status).toBe(400);
    expect([rated(), vi.mocked(hash).mock.calls.length]).toEqual([1, 0]);
    expect((await call('create', fields)).status).toBe(200);
    expect([rated(), vi.mocked(hash).mock.calls.length]).toEqual([2, 1]);
    threads.mockRestore();
  });

  test('is made once of simultaneous requests', async () => {
    const fields = fresh();
    const answers = await Promise.all([1, 2, 3].map(() => call('create', fields)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

describe('signing in', () => {
  test('takes name or address; wrong credentials are refused alike and after the same work', async () => {
    const who = await person(database.sql);
    const answer = await call('login', { username: who.email.toUpperCase(), password: goodPassword });
    expect(await bodyOf(answer)).toMatchObject({ user_id: who.id, session: expect.stringMatching(/^mra_/) });
    const work: unknown[] = [];
    const texts: unknown[] = [];
    for (const username of [who.username, 'nobody-at-all', 'a\0b']) {
      vi.mocked(verify).mockClear();
      vi.mocked(hash).mockClear();
      const refused = await call('login', { username, password: 'wrong' }, { address: `192.0.2.${++made}` });
      texts.push([refused.status, await bodyOf(refused)]);
      work.push([vi.mocked(verify).mock.calls.length, vi.mocked(hash).mock.calls.length]);
    }
    expect(texts[0]).toMatchObject([401, { error: 'invalid_credentials' }]);
    expect(texts[1]).toEqual(texts[0]);
    expect(work[1]).toEqual(work[0]);
    // a name that cannot be stored belongs to nobody
    expect((texts[2] as [number])[0]).toBeGreaterThanOrEqual(400);
  });

  test('takes one statement before the hash and one after it, and a transaction only for more than that', async () => {
    const who = await person(database.sql);
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
    const begun = vi.spyOn(database.sql, 'begin');
    const statementsOf = async (username: string, headers = firefox, word = goodPassword) => {
      const counting = countingQueries(database.sql);
      begun.mockClear();
      api.services.sql = counting.sql;
      const json = { username, password: word };
      const answer = await call('login', json, { address: '192.0.2.201', headers });
      api.services.sql = database.sql;
      return [answer.status, counting.count(), begun.mock.calls.length];
    };
    expect(await statementsOf(who.username)).toEqual([200, 3, 0]); // the user is read beside the second one
    expect(await statementsOf(who.username)).toEqual([200, 3, 0]);
    for (const name of [who.username, who.email, 'nobody-at-all'])
      expect(await statementsOf(name, firefox, 'wrong')).toEqual([401, 1, 0]);
    const chrome = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' };
    expect(await statementsOf(who.username, chrome)).toEqual([200, 2, 1]);
    expect(await statementsOf(who.username, chrome)).toEqual([200, 3, 0]);
    begun.mockRestore();
  });

  test('from a new network or with a new device is told by mail, the first sign-in is not', async () => {
    const who = await person(database.sql);
    const firefox = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
    const chrome = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0' };
    const signIn = (address: string, headers: Record<string, string>) =>
      call('login', { username: who.username, password: goodPassword }, { address, headers });
    const mails = async () =>
      (await database.sql`select from mails where user_id = ${who.id} and template = 'new_sign_in'`).length;
    await signIn('192.0.2.200', firefox);
    await signIn('192.0.2.200', firefox);
    expect(await mails()).toBe(0);
    await signIn('192.0.2.200', chrome);
    expect(await mails()).toBe(1);
    await signIn('198.51.100.200', firefox);
    expect(await mails()).toBe(2);
    await signIn('198.51.100.200', chrome);
    expect(await mails()).toBe(2);
  });
});

describe('the own password', () => {
  const change = (token: string, json: unknown) => api.call('PATCH', '/v2/auth/password', { token, json });
  const next = 'Seven slow herons wade west';

  test('is changed with the old one, which is told by mail', async () => {
    const who = await person(database.sql, { proved_ago_ms: 3_600_000 });
    const wrong = await change(who.token, { old_password: 'wrong', new_password: next });
    expect([wrong.status, (await bodyOf(wrong)).details]).toMatchObject([
      400,
      { code: 'old_password_wrong' },
    ]);
    const weak = await change(who.token, { old_password: goodPassword, new_password: 'password1' });
    expect(weak.status).toBe(400);
    expect((await change(who.token, { old_password: goodPassword, new_password: next })).status).toBe(200);
    expect((await call('login', { username: who.username, password: next })).status).toBe(200);
    expect((await call('login', { username: who.username, password: goodPassword })).status).toBe(401);
    const mails = await database.sql`select template from mails where user_id = ${who.id}`;
    expect(mails.map(({ template }) => template)).toContain('password_changed');
  });

  test('is changed with an end to every other session and token', async () => {
    const who = await person(database.sql);
    const { session: other } = await openSession(database.sql, {
      ...{ user_id: who.id, user_agent: null, now: new Date() },
    });
    const created = await api.call('POST', '/v2/pat', {
      token: who.token,
      json: { name: 'Builds', scopes: 2, expires: new Date(Date.now() + 86_400_000).toISOString() },
    });
    const { access_token } = (await created.json()) as { access_token: string };
    const status = async (token: string) => (await api.call('GET', '/v2/user', { token })).status;
    expect([await status(other!), await status(access_token)]).toEqual([200, 200]);
    await change(who.token, { old_password: goodPassword, new_password: next });
    expect([await status(who.token), await status(other!), await status(access_token)]).toEqual([
      200, 401, 401,
    ]);
  });

  test('is changed by sessions only, and guesses at the old one are limited', async () => {
    expect((await api.call('PATCH', '/v2/auth/password', { json: { new_password: next } })).status).toBe(401);
    const who = await person(database.sql);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await change(who.token, { old_password: `${i}`, new_password: next })).status);
    expect(statuses.slice(-2)).toEqual([400, 429]);
  });
});

test('strangers use up nothing of the mails that somebody asks for from a network of theirs', async () => {
  const who = await person(database.sql);
  const home = '192.0.2.44';
  expect(
    (await call('login', { username: who.username, password: goodPassword }, { address: home })).status,
  ).toBe(200);
  const reset = async (address: string) =>
    (await call('password/reset', { username: who.username }, { address })).status;
  const strangers: number[] = [];
  for (let i = 0; i < 6; i++) strangers.push(await reset(`198.51.100.${i + 1}`));
  expect(strangers.at(-1)).toBe(429);
  expect(await reset(home)).toBe(200);
});
