import { describe, expect, test } from 'vitest';
import { createUser } from '#db/platform/people/write.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { submittedForm } from '../../platform/forms/form-cookie.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);

const password = 'Copper lanterns hum softly';
const own = { 'sec-fetch-site': 'same-origin' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = own) =>
  api.call('POST', `/_internal/auth/${path}`, {
    body: String(new URLSearchParams(fields)),
    headers: { ...formType, ...headers },
  });
const json = (path: string, fields: unknown, headers: Record<string, string> = own, address?: string) =>
  api.call('POST', `/_internal/auth/${path}`, { json: fields, headers, ...(address ? { address } : {}) });

let made = 0;
async function person() {
  const username = `person-${++made}`;
  await createUser(database.sql, { username, email: `${username}@example.test`, password, now: new Date() });
  return username;
}
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] as string;
const whoIs = async (cookie: string) => {
  const answer = await api.call('GET', '/v2/user', { headers: { cookie, ...own } });
  return answer.status === 200 ? ((await answer.json()) as { username: string }).username : answer.status;
};

describe('signing in', () => {
  test('by form redirects to a local path and sets a cookie for the account', async () => {
    const username = await person();
    const answer = await form('sign-in', { username, password, redirect: '/mod/x?tab=2' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/mod/x?tab=2');
    expect(answer.headers.get('set-cookie')).toMatch(
      /^auth-token=mra_\w{60}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(await whoIs(cookieOf(answer))).toBe(username);
  });

  test('never redirects to another site', async () => {
    const username = await person();
    const answer = await form('sign-in', { username, password, redirect: '//evil.example/' });
    expect(answer.headers.get('location')).toBe('/dashboard');
  });

  test('by script answers with the user; the token stays in the cookie', async () => {
    const username = await person();
    const headers = { ...own, 'accept-encoding': 'gzip' };
    const answer = await json('sign-in', { username: `${username}@EXAMPLE.test`, password }, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-encoding')).toBeNull(); // compressing takes longer than sending so little
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ user: { username } });
    expect(text).not.toContain('mra_');
    expect(await whoIs(cookieOf(answer))).toBe(username);
  });

  test('with a wrong password redirects to the form and keeps the target', async () => {
    const answer = await form('sign-in', { username: await person(), password: 'wrong', redirect: '/mods' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/auth/sign-in?error=invalid_credentials&redirect=%2Fmods');
    expect(answer.headers.get('set-cookie')).not.toContain('auth-token');
  });

  test('is refused alike for a wrong password and an unknown name', async () => {
    const answers = [
      await json('sign-in', { username: await person(), password: 'wrong' }),
      await json('sign-in', { username: 'nobody-at-all', password }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    const [one, other] = await Promise.all(answers.map((answer) => answer.json()));
    expect(one).toEqual(other);
    expect(one).toMatchObject({ details: { code: 'invalid_credentials' } });
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
  ])('from another site is refused: %j', async (headers) => {
    const username = await person();
    const answer = await json('sign-in', { username, password }, headers as Record<string, string>);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ details: { code: 'cross_site' } });
  });

  test.each([[{}], [{ username: 'x' }], [{ username: 1, password: 2 }], [[]], [null]])(
    'needs name and password: %j is refused',
    async (fields) => {
      expect((await json('sign-in', fields)).status).toBe(400);
    },
  );

  test('refuses bodies that are not JSON or too large', async () => {
    const call = (body: string) =>
      api.call('POST', '/_internal/auth/sign-in', {
        body,
        headers: { ...own, 'content-type': 'application/json' },
      });
    expect((await call('{"username":')).status).toBe(400);
    expect((await call(`{"username":"${'x'.repeat(20_000)}"}`)).status).toBe(413);
  });

  test('is limited after ten failures of an account from one network; other networks are not affected', async () => {
    const username = await person();
    const guess = (address: string, word = 'wrong') =>
      json('sign-in', { username, password: word }, own, address);
    for (let i = 0; i < 10; i++) expect((await guess('192.0.2.7')).status).toBe(401);
    const refused = await guess('192.0.2.7', password);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1);
    expect((await guess('192.0.2.8', password)).status).toBe(200);
  });

  test('counts failures by name and by e-mail address together', async () => {
    const username = await person();
    const guess = (name: string) => json('sign-in', { username: name, password: 'wrong' }, own, '192.0.2.20');
    for (let i = 0; i < 5; i++) {
      expect((await guess(username.toUpperCase())).status).toBe(401);
      expect((await guess(`${username}@example.test`)).status).toBe(401);
    }
    expect((await guess(username)).status).toBe(429);
  });

  test('is not locked on networks where the user signed in before, however many guesses come from elsewhere', async () => {
    const username = await person();
    const signIn = (address: string, word: string) =>
      json('sign-in', { username, password: word }, own, address);
    expect((await signIn('192.0.2.30', password)).status).toBe(200);
    // more than the hundred that are allowed: the share of other processes may refuse one of them by its network
    for (let i = 0; i < 120; i++) await signIn(`198.51.100.${Math.floor(i / 10)}`, 'wrong');
    expect((await signIn('192.0.2.31', password)).status).toBe(429);
    expect((await signIn('192.0.2.30', password)).status).toBe(200);
  });

  test('does not count towards the limit when it succeeds', async () => {
    const username = await person();
    for (let i = 0; i < 12; i++)
      expect((await json('sign-in', { username, password }, own, '192.0.2.9')).status).toBe(200);
  });
});

describe('signing up', () => {
  const fields = { username: 'new-person', email: 'new@example.test', password, confirm_password: password };

  test('creates an account and signs it in', async () => {
    const answer = await form('sign-up', fields);
    expect(answer.headers.get('location')).toBe('/dashboard');
    expect(await whoIs(cookieOf(answer))).toBe('new-person');
  });

  test('says at once that a name is taken and that a password is weak', async () => {
    const answer = await json('sign-up', { ...fields, password: 'short', confirm_password: 'short' });
    const said = (await answer.json()).details.fields.map(({ field }: { field: string }) => field);
    expect(said).toEqual(['username', 'password']);
  });

  test.each([
    ['passwords_differ', { confirm_password: 'other' }],
    ['username_taken', { email: 'second@example.test' }],
    ['email_taken', { username: 'second' }],
    ['username_malformed', { username: 'has space' }],
    ['email_malformed', { email: 'nothing' }],
    ['password_breached', { password: 'password1', confirm_password: 'password1' }],
    ['password_weak', { password: 'aeaeaeaeae', confirm_password: 'aeaeaeaeae' }],
    ['password_length', { password: 'short', confirm_password: 'short' }],
  ])('answers %s', async (code, wrong) => {
    const spoiled = { ...fields, ...wrong };
    expect((await form('sign-up', spoiled)).headers.get('location')).toBe(`/auth/sign-up?error=${code}`);
    const answer = await json('sign-up', spoiled);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ details: { code } });
  });

  const wrong = {
    username: 'has space',
    email: 'somebody@example.test',
    password: 'short',
    confirm_password: 'shorter',
  };

  test('says everything that is wrong at once, each at its field, in the language of the page', async () => {
    const answer = await json('sign-up', { ...wrong, hl: 'de-DE' });
    const { details } = (await answer.json()) as { details: { fields: unknown[] } };
    expect(details).toMatchObject({
      code: 'passwords_differ',
      fields: [
        { field: 'username', text: expect.stringContaining('Buchstaben') },
        { field: 'password', text: expect.stringContaining('8') },
        { field: 'confirm_password', text: expect.stringContaining('Passwörter') },
      ],
    });
    expect(details.fields).toHaveLength(3);
  });

  test('by a plain form gives back what was typed and what was wrong, but no password', async () => {
    const answer = await form('sign-up', { ...wrong, hl: 'ar-SA', redirect: '/mods' });
    expect(answer.headers.get('location')).toBe(
      '/auth/sign-up?error=passwords_differ&redirect=%2Fmods&hl=ar-SA',
    );
    const cookie = cookieOf(answer);
    const kept = submittedForm(new Request('http://x/', { headers: { cookie } }), 'http://x/')!;
    expect(kept.values).toEqual({ username: 'has space', email: 'somebody@example.test' });
    expect(kept.errors.map(({ field }) => field)).toEqual(['username', 'password', 'confirm_password']);
  });
});

describe('signing out', () => {
  test('deletes the session and the cookie', async () => {
    const cookie = cookieOf(await form('sign-in', { username: await person(), password }));
    const answer = await form('sign-out', {}, { cookie, ...own });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('set-cookie')).toMatch(/^auth-token=; Max-Age=0;/);
    expect(await whoIs(cookie)).toBe(401);
  });

  test('empties what the browser keeps for this site', async () => {
    const cookie = cookieOf(await form('sign-in', { username: await person(), password }));
    const answer = await form('sign-out', {}, { cookie, ...own });
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    const foreign = await form('sign-out', {}, { cookie, 'sec-fetch-site': 'cross-site' });
    expect(foreign.headers.get('clear-site-data')).toBeNull();
  });

  test('is refused from another site', async () => {
    const username = await person();
    const cookie = cookieOf(await form('sign-in', { username, password }));
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}])
      expect((await json('sign-out', {}, { cookie, ...(headers as Record<string, string>) })).status).toBe(
        401,
      );
    expect(await whoIs(cookie)).toBe(username);
  });
});

describe('the current user of a page', () => {
  const anonymous = {
    user: null,
    project: null,
    organization: null,
    invitation: null,
    follows: [],
    saved: [],
    unread: 0,
    plus: false,
    unpaid: false,
    unverified: null,
    unpaid_for: null,
    country: null,
  };
  const view = async (headers: Record<string, string>, body: unknown = {}, token?: string) => {
    const answer = await api.call('POST', '/_internal/viewer', {
      json: body,
      headers,
      ...(token ? { token } : {}),
    });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    return await answer.json();
  };

  test('is null without a session, from another site or with a broken cookie', async () => {
    const cookie = cookieOf(await form('sign-in', { username: await person(), password }));
    expect(await view({})).toEqual(anonymous);
    expect(await view({ cookie, 'sec-fetch-site': 'cross-site' })).toEqual(anonymous);
    expect(await view({ cookie: `auth-token=mra_${'x'.repeat(60)}`, ...own })).toEqual(anonymous);
  });

  test('has its permissions and follows for the projects of the page', async () => {
    const username = await person();
    const cookie = cookieOf(await form('sign-in', { username, password }));
    const { id } = ((await view({ cookie, ...own })) as { user: { id: string } }).user;
    const stranger = await build.user(database.sql);
    const mine = await build.project(database.sql, { owner: { id, username } });
    const others = await build.project(database.sql, { owner: stranger });
    await database.sql`insert into follows (user_id, project_id) values (${id}, ${others.id})`;
    expect(await view({ cookie, ...own }, { project: mine.id, projects: [others.id] })).toMatchObject({
      user: { id, username, role: 'developer' },
      project: { permissions: 1023, member: true },
      follows: [others.id],
    });
    expect(await view({ cookie, ...own }, { project: others.id })).toMatchObject({
      project: null,
      follows: [others.id],
    });
  });
});

test('failures for names that the database cannot store are shared between processes too', async () => {
  const stored = async () =>
    (await database.sql`select 1 from rate_limits where key like 'sign-in-pair:192.0.2.77 %'`).length;
  await Promise.all(
    ['real-name', 'a\0b', '漢'.repeat(1000)].map((username) =>
      json('sign-in', { username, password }, own, '192.0.2.77'),
    ),
  );
  await expect.poll(stored, { timeout: 20_000 }).toBe(3);
});

test('a session names the network address of its sign-in', async () => {
  const username = await person();
  const answer = await json('sign-in', { username, password }, own, '198.51.100.7');
  const listed = await api.call('GET', '/v2/session/list', { headers: { cookie: cookieOf(answer), ...own } });
  expect(await listed.json()).toMatchObject([{ ip: '198.51.100.7', city: null, current: true }]);
});
