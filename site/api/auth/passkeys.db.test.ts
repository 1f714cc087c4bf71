import { describe, expect, test } from 'vitest';
import { authenticator } from '#db/testing/authenticator.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword, type Person, person } from '../../testing/signed-in.ts';

const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });
const minute_ms = 60_000;
const origin = 'http://localhost:4321';
const device = (options?: { counts?: boolean }) => authenticator('localhost', origin, options);

type Asked = { options: { challenge: string; rp?: { id: string } }; flow: string };
let asked = 0;
const call = (path: string, json: unknown, who?: Person) =>
  api.call('POST', `/v2/auth/passkey/${path}`, {
    json,
    address: `192.0.2.${++asked % 250}`,
    ...(who && { token: who.token }),
  });
const ask = async (path: string, who?: Person) => (await (await call(path, undefined, who)).json()) as Asked;
const codeIn = async (answer: Response) =>
  ((await answer.json()) as { details: { code: string } }).details.code;
async function add(who: Person, key = device(), name = 'Laptop') {
  const { options, flow } = await ask('register/start', who);
  return await call('register/finish', { flow, name, credential: key.register(options) }, who);
}
const listOf = async (who: Person) =>
  (await (await api.call('GET', '/v2/auth/passkey', { token: who.token })).json()) as Array<{
    id: string;
    name: string;
    last_used: string | null;
  }>;

describe('a passkey', () => {
  test('is added, named, used as the only factor, and removed; its owner is told by mail', async () => {
    const who = await person(database.sql);
    const key = device();
    const added = await add(who, key);
    expect(added.status).toBe(201);
    const passkey = (await added.json()) as { id: string };
    expect(passkey).toMatchObject({ name: 'Laptop', last_used: null });
    const { options, flow } = await ask('start');
    expect(options).toMatchObject({ userVerification: 'required', rpId: 'localhost' });
    const session = await call('finish', { flow, credential: key.answer(options) });
    expect(await session.json()).toMatchObject({
      session: expect.stringMatching(/^mra_/),
      user_id: who.id,
    });
    expect((await listOf(who))[0]!.last_used).not.toBeNull();
    const path = `/v2/auth/passkey/${passkey.id}`;
    expect((await api.call('PATCH', path, { token: who.token, json: { name: 'Phone' } })).status).toBe(204);
    expect(await listOf(who)).toMatchObject([{ name: 'Phone' }]);
    expect((await api.call('DELETE', path, { token: who.token })).status).toBe(204);
    expect(await listOf(who)).toEqual([]);
    const mails = await database.sql`select template from mails where user_id = ${who.id} order by created`;
    expect(mails.map(({ template }) => template)).toEqual(
      expect.arrayContaining(['passkey_added', 'passkey_removed']),
    );
  });

  test.each([
    ['for another site', { origin: 'https://evil.example' }],
    ['that did not check its owner', { verified: false }],
    ['signed by another key', { forged: true }],
    ['whose counter went back: a copy', { counter: 0 }],
  ])('is refused %s', async (_name, changes) => {
    const who = await person(database.sql);
    const key = device();
    await add(who, key);
    const first = await ask('start');
    expect((await call('finish', { flow: first.flow, credential: key.answer(first.options) })).status).toBe(
      200,
    );
    const { options, flow } = await ask('start');
    const answer = await call('finish', { flow, credential: key.answer(options, changes) });
    expect([answer.status, await codeIn(answer)]).toEqual([401, 'passkey_refused']);
  });

  test('that does not count signs in again and again', async () => {
    const who = await person(database.sql);
    const key = device({ counts: false });
    await add(who, key);
    for (let i = 0; i < 2; i++) {
      const { options, flow } = await ask('start');
      expect((await call('finish', { flow, credential: key.answer(options) })).status).toBe(200);
    }
  });

  test('answers one question once: not replayed, not for another one, not late, one of many at once', async () => {
    const who = await person(database.sql);
    const key = device();
    await add(who, key);
    const { options, flow } = await ask('start');
    const credential = key.answer(options);
    const parallel = await Promise.all([1, 2, 3].map(() => call('finish', { flow, credential })));
    expect(parallel.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const other = await ask('start');
    expect(await codeIn(await call('finish', { flow: other.flow, credential }))).toBe('passkey_refused');
    const late = await ask('start');
    const real = api.services.now;
    api.services.now = () => new Date(Date.now() + 11 * minute_ms);
    expect(
      await codeIn(await call('finish', { flow: late.flow, credential: key.answer(late.options) })),
    ).toBe('flow_invalid');
    api.services.now = real;
  });

  test('unknown here is refused', async () => {
    const { options, flow } = await ask('start');
    const answer = await call('finish', { flow, credential: device().answer(options) });
    expect([answer.status, await codeIn(answer)]).toEqual([401, 'passkey_refused']);
  });

  test('is added with a recent proof only, for the own flow, and belongs to one account', async () => {
    const stale = await person(database.sql, { proved_ago_ms: 11 * minute_ms });
    expect(await codeIn(await call('register/start', undefined, stale))).toBe('proof_required');
    const [who, other] = [await person(database.sql), await person(database.sql)];
    const key = device();
    const { options, flow } = await ask('register/start', who);
    const body = { flow, name: 'x', credential: key.register(options) };
    expect(await codeIn(await call('register/finish', body, other))).toBe('flow_invalid');
    expect((await add(who, key)).status).toBe(201);
    expect(await codeIn(await add(other, key))).toBe('passkey_known');
  });

  test('twenty are the most, also for parallel requests', { timeout: 30_000 }, async () => {
    const who = await person(database.sql);
    for (let i = 0; i < 19; i++) expect((await add(who)).status).toBe(201);
    const open = await Promise.all([1, 2, 3].map(() => ask('register/start', who)));
    const answers = await Promise.all(
      open.map(({ options, flow }) =>
        call('register/finish', { flow, name: 'x', credential: device().register(options) }, who),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await codeIn(await call('register/start', undefined, who))).toBe('too_many_passkeys');
  });

  test.each([[''], ['  '], ['a\0'], ['\ud800'], ['x'.repeat(256)]])('can’t be called %j', async (name) => {
    const who = await person(database.sql);
    expect((await add(who, device(), name)).status).toBe(400);
    expect(await listOf(who)).toEqual([]);
  });

  test('of somebody else is unknown', async () => {
    const [who, other] = [await person(database.sql), await person(database.sql)];
    const { id } = (await (await add(who)).json()) as { id: string };
    const path = `/_internal/auth/passkey/${id}`;
    const asOther = { token: other.token };
    expect((await api.call('PATCH', path, { ...asOther, json: { name: 'x' } })).status).toBe(404);
    expect((await api.call('DELETE', path, asOther)).status).toBe(404);
    expect(await listOf(who)).toHaveLength(1);
  });

  test.each([[{}], [{ flow: 'x', credential: {} }], [{ flow: 'x', credential: { id: '\0' } }], [null]])(
    'refuses nonsense: %j',
    async (body) => {
      expect((await call('finish', body)).status).toBe(400);
    },
  );
});

describe('an account without a password', () => {
  const password = (who: Person, json: unknown) =>
    api.call('PATCH', '/v2/auth/password', { token: who.token, json });

  test('keeps another way to sign in, whatever is removed', async () => {
    const who = await person(database.sql);
    expect(await codeIn(await password(who, { new_password: null }))).toBe('last_sign_in_method');
    const key = device();
    const { id } = (await (await add(who, key)).json()) as { id: string };
    expect((await password(who, { new_password: null })).status).toBe(200);
    const mails = await database.sql`select template from mails where user_id = ${who.id} order by created`;
    expect(mails.map(({ template }) => template)).toEqual(['passkey_added', 'password_removed']);
    expect(await codeIn(await password(who, { new_password: null }))).toBe('no_password');
    const answer = await api.call('DELETE', `/v2/auth/passkey/${id}`, { token: who.token });
    expect(await codeIn(answer)).toBe('last_sign_in_method');
    const json = { username: who.username, password: goodPassword };
    expect((await api.call('POST', '/v2/auth/login', { json })).status).toBe(401);
    const { options, flow } = await ask('start');
    expect((await call('finish', { flow, credential: key.answer(options) })).status).toBe(200);
  });
});
