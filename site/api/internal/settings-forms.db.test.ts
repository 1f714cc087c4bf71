import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { clientById } from '#db/accounts/oauth/read.ts';
import { tokensOf } from '#db/accounts/tokens/read.ts';
import { linksOf } from '#db/platform/people/links.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { submittedForm } from '../../platform/forms/form-cookie.ts';
import { takeShownOnce } from '../../platform/http/shown-once.ts';
import { testApi } from '../../testing/api.ts';

/** What the forms of the settings store: tokens, apps, the profile. */
const database = testDatabase();
const api = testApi(database);
const minute_ms = 60_000;

let ada: build.BuiltUser;
let session = '';
beforeAll(async () => {
  ada = await build.user(database.sql);
});
beforeEach(async () => {
  api.services.now = () => new Date();
  const opened = await openSession(database.sql, { user_id: ada.id, user_agent: null, now: new Date() });
  session = opened.session as string;
});

const headers = () => ({
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/x-www-form-urlencoded',
  cookie: `auth-token=${session}`,
});
const send = (path: string, fields: Record<string, string>) =>
  api.call('POST', `/_internal/${path}`, { headers: headers(), body: String(new URLSearchParams(fields)) });
const target = (answer: Response) => answer.headers.get('location');
/** The cookies that an answer sets, as the next request sends them. */
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
const nextPage = (answer: Response) =>
  new Request('http://127.0.0.1:4321/settings', { headers: { cookie: cookiesOf(answer) } });

/** The secret that the next page shows to `user_id`. */
const shownTo = (answer: Response, user_id: string, now = new Date()) =>
  takeShownOnce(
    {
      request: nextPage(answer),
      response: { headers: new Headers() },
      locals: { services: api.services, now },
    },
    user_id,
  );

const token = { name: 'My CI', expires_in: '30', scope_USER_READ: 'on', scope_VERSION_CREATE: 'on' };
const tokens = () => tokensOf(database.sql, ada.id);

describe('a token made by form', () => {
  test('works, is shown once to its user only, and never stands in an address', async () => {
    const answer = await send('tokens/create', token);
    expect([answer.status, target(answer)]).toEqual([303, '/settings/pats']);
    const [made] = await tokens();
    const shown = shownTo(answer, ada.id);
    expect(shown).toEqual({ id: made!.id, secret: expect.stringMatching(/^mrp_\w{60}$/) });
    expect((await api.call('GET', '/v2/user', { token: shown!.secret })).status).toBe(200);
    expect(cookiesOf(answer)).not.toContain('mrp_');
    expect(shownTo(answer, 'AAAAAAAA')).toBeNull();
    expect(shownTo(answer, ada.id, new Date(Date.now() + 3 * minute_ms))).toBeNull();
  });

  test('needs a permission, a name and a day to come', async () => {
    const { scope_USER_READ: _, scope_VERSION_CREATE: __, ...bare } = token;
    for (const fields of [
      bare,
      { ...token, name: 'ab' },
      { ...token, name: 'a\0bc' },
      { ...token, expires_in: 'date' },
      { ...token, expires_in: 'date', expires_on: '2020-01-01' },
      { ...token, expires_in: 'date', expires_on: 'soon' },
      { ...token, expires_in: 'forever' },
    ]) {
      const before = (await tokens()).length;
      expect(target(await send('tokens/create', fields))).toContain('/settings/pats/new?error=');
      expect((await tokens()).length).toBe(before);
    }
  });

  test('asks for proof when the last one is old, and keeps what was typed', async () => {
    api.services.now = () => new Date(Date.now() + 11 * minute_ms);
    const answer = await send('tokens/create', token);
    expect(target(answer)).toContain('/auth/confirm?redirect=');
    const kept = submittedForm(nextPage(answer), 'http://127.0.0.1:4321');
    expect(kept?.values).toMatchObject({ name: 'My CI', scope_VERSION_CREATE: 'on' });
  });

  test('is made narrower without proof, but not wider or longer', async () => {
    await send('tokens/create', token);
    const { id, expires } = (await tokens()).at(0)!;
    api.services.now = () => new Date(Date.now() + 11 * minute_ms);
    const narrower = { id, name: 'Mine', expires_on: expires.slice(0, 10), scope_USER_READ: 'on' };
    const saved = await send('tokens/edit', narrower);
    expect(target(saved)).toBe(`/settings/pats/${id}?saved=1`);
    expect((await tokens()).find((one) => one.id === id)).toMatchObject({ name: 'Mine', scopes: 2, expires });
    const undo = submittedForm(nextPage(saved), 'http://127.0.0.1:4321')!.values;
    expect(undo).toMatchObject({ id, name: 'My CI', scope_VERSION_CREATE: 'on' });
    for (const wider of [
      { ...narrower, scope_USER_WRITE: 'on' },
      { ...narrower, expires_on: '2090-01-01' },
      undo,
    ])
      expect(target(await send('tokens/edit', wider))).toContain('/auth/confirm');
    expect((await tokens()).find((one) => one.id === id)).toMatchObject({ name: 'Mine', scopes: 2 });
  });

  test('mails its user', async () => {
    const before = await database.sql`select 1 from mails where template = 'pat_created'`;
    await send('tokens/create', token);
    const after = await database.sql`select 1 from mails where template = 'pat_created'`;
    expect(after.length).toBe(before.length + 1);
  });
});

describe('an app made by form', () => {
  const app = {
    name: 'Herons',
    url: 'https://app.example',
    description: 'Line one\r\nline two',
    redirect_uris: 'https://app.example/back\r\n\r\n  http://127.0.0.1/back  ',
    kind: 'server',
    scope_USER_READ: 'on',
  };
  const made = async (fields: Record<string, string> = app) => {
    const answer = await send('applications/create', fields);
    const id = /applications\/(\w+)\?new=1$/.exec(target(answer)!)?.[1] ?? '';
    return { answer, id };
  };

  test('has its fields, and a secret that is shown once', async () => {
    const { answer, id } = await made();
    expect(await clientById(api.services, id)).toMatchObject({
      name: 'Herons',
      description: 'Line one\nline two',
      max_scopes: 2,
      is_public: false,
      redirect_uris: [{ uri: 'https://app.example/back' }, { uri: 'http://127.0.0.1/back' }],
    });
    expect(shownTo(answer, ada.id)).toEqual({ id, secret: expect.stringMatching(/^\w{32}$/) });
  });

  test('on devices has no secret', async () => {
    const { answer, id } = await made({ ...app, kind: 'device' });
    expect(shownTo(answer, ada.id)).toBeNull();
    expect((await clientById(api.services, id))?.is_public).toBe(true);
    expect(target(await send('applications/secret', { id }))).toContain('error=not_found');
  });

  test('gets a new secret, which needs proof; the old one is refused at once', async () => {
    const { answer, id } = await made();
    const old = shownTo(answer, ada.id)!.secret;
    const fresh = shownTo(await send('applications/secret', { id }), ada.id)!.secret;
    const revoke = (client_secret: string) =>
      api.call('POST', '/v3/oauth/revoke', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: String(new URLSearchParams({ client_id: id, client_secret, token: 'mro_x' })),
      });
    expect([(await revoke(old)).status, (await revoke(fresh)).status]).toEqual([401, 200]);
    api.services.now = () => new Date(Date.now() + 11 * minute_ms);
    expect(target(await send('applications/secret', { id }))).toContain('/auth/confirm');
    expect((await revoke(fresh)).status).toBe(200);
  });

  test('is edited with the way back, and says which address is wrong', async () => {
    const { id } = await made();
    const edit = {
      id,
      name: 'Cranes',
      url: '',
      description: '',
      redirect_uris: '',
      scope_PROJECT_READ: 'on',
    };
    const saved = await send('applications/edit', edit);
    expect(await clientById(api.services, id)).toMatchObject({
      name: 'Cranes',
      url: null,
      redirect_uris: [],
    });
    const { values } = submittedForm(nextPage(saved), 'http://127.0.0.1:4321')!;
    await send('applications/edit', values);
    expect(await clientById(api.services, id)).toMatchObject({
      name: 'Herons',
      max_scopes: 2,
      redirect_uris: [{ uri: 'https://app.example/back' }, { uri: 'http://127.0.0.1/back' }],
    });
    const wrong = await send('applications/edit', {
      ...edit,
      redirect_uris: 'https://a.example/\nhttp://b.example/',
    });
    const { errors } = submittedForm(nextPage(wrong), 'http://127.0.0.1:4321')!;
    expect(errors).toEqual([{ field: 'redirect_uris', text: expect.stringContaining('http://b.example/') }]);
  });

  test('of somebody else is left alone', async () => {
    const { id } = await made();
    const { id: user_id } = await build.user(database.sql);
    session = (await openSession(database.sql, { user_id, user_agent: null, now: new Date() }))
      .session as string;
    for (const path of ['applications/delete', 'applications/secret'])
      expect(target(await send(path, { id }))).toContain('error=not_yours');
    expect(await clientById(api.services, id)).not.toBeNull();
  });
});

describe('the profile', () => {
  const bio = async () =>
    (
      await database.sql<Array<{ bio: string | null; username: string }>>`
      select bio, username from users where id = ${ada.id}`
    )[0]!;

  test('is saved with the way back', async () => {
    const { username } = await bio();
    const saved = await send('profile', { username, bio: ' Two\r\nlines ' });
    expect([target(saved), await bio()]).toEqual([
      '/settings/profile?saved=1',
      { username, bio: 'Two\nlines' },
    ]);
    const { values } = submittedForm(nextPage(saved), 'http://127.0.0.1:4321')!;
    await send('profile', values);
    expect(await bio()).toEqual({ username, bio: null });
  });

  test('has links in their order, and takes no other addresses', async () => {
    const links = async () => await linksOf(database.sql, ada.id);
    const { username } = await bio();
    const given = { link_1: 'https://stones.example/me', link_2: '', link_3: 'https://b.example' };
    const saved = await send('profile', { username, bio: '', ...given });
    expect(await links()).toEqual(['https://stones.example/me', 'https://b.example']);
    for (const link_1 of ['javascript:alert(1)', 'http://b.example', 'stones', `https://${'b'.repeat(2048)}`])
      expect(target(await send('profile', { username, bio: '', link_1 }))).toContain('error=invalid_input');
    expect(await links()).toHaveLength(2);
    await send('profile', submittedForm(nextPage(saved), 'http://127.0.0.1:4321')!.values);
    expect(await links()).toEqual([]);
  });

  test('is refused with a name that is taken or malformed, and with too long a text', async () => {
    const other = await build.user(database.sql);
    const { username } = await bio();
    for (const [fields, code] of [
      [{ username: other.username.toUpperCase(), bio: '' }, 'username_taken'],
      [{ username: 'a/b', bio: '' }, 'username_malformed'],
      [{ username: '', bio: '' }, 'invalid_input'],
      [{ username, bio: 'x'.repeat(161) }, 'invalid_input'],
      [{ username, bio: 'a\0' }, 'invalid_input'],
    ] as const)
      expect(target(await send('profile', fields))).toBe(`/settings/profile?error=${code}`);
    expect((await bio()).username).toBe(username);
  });
});

test('a tax form that lacks several fields is told all of them at once', async () => {
  const empty = ['name', 'address', 'city', 'state', 'postal_code', 'tax_number', 'signature'];
  const fields = Object.fromEntries(empty.map((name) => [name, '']));
  const answer = await send('payouts/tax', { form_type: 'W-9', country: 'US', ...fields });
  const kept = submittedForm(nextPage(answer), 'http://127.0.0.1:4321')!;
  expect(kept.errors.map(({ field }) => field)).toEqual(['name', 'address', 'city', 'signature']);
  const stated = { name: 'Ada', address: '1', city: 'Hill', signature: 'Ada', tax_number: '123456789' };
  const next = await send('payouts/tax', { form_type: 'W-9', country: 'US', ...fields, ...stated });
  const again = submittedForm(nextPage(next), 'http://127.0.0.1:4321')!;
  expect(again.errors.map(({ field }) => field)).toEqual(['state']);
});

test('a tax form that is refused leaves no tax number in the browser', async () => {
  const number = '123-45-6789';
  const answer = await send('payouts/tax', {
    ...{
      form_type: 'W-9',
      name: 'Ada Stein',
      country: 'US',
      address: '1 Stone Road',
      city: 'Hill',
      state: 'OH',
      postal_code: '12345',
    },
    ...{ tax_number: number, signature: 'Ada Stein (signed)' },
  });
  expect(target(answer)).toContain('/dashboard/revenue/tax');
  const kept = submittedForm(nextPage(answer), 'http://127.0.0.1:4321')!;
  expect(kept.values).toMatchObject({ name: 'Ada Stein', city: 'Hill' });
  expect(JSON.stringify(kept)).not.toContain(number);
  expect(JSON.stringify(kept)).not.toContain('signed');
});
