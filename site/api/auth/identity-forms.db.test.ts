import { describe, expect, test } from 'vitest';
import { accountIdOf } from '#db/moderation/staff/account.ts';
import { accountByEmail } from '#db/platform/people/read.ts';
import { accountForSignIn } from '#db/platform/people/write.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword } from '../../testing/signed-in.ts';

/** Whoever signed up with a form of an address or name is found by every other form of it. */
const database = testDatabase();
const api = testApi(database, { SMTP_URL: 'smtp://127.0.0.1:1' });

let made = 0;
const signUp = async (form: (name: string) => string) => {
  const username = `Some.Body-${++made}`;
  const json = { username, email: form(username), password: goodPassword };
  const answer = await api.call('POST', '/v2/auth/create', { json, address: `10.0.0.${made}` });
  return { username, status: answer.status };
};

const forms: Record<string, (name: string) => string> = {
  'as a browser sends it': (name) => `${name}@xn--bcher-laden-thb.example`,
  'as it is typed': (name) => `${name}@bücher-laden.example`,
  'in upper case': (name) => `${name}@BÜCHER-LADEN.EXAMPLE`.toUpperCase(),
  'with blanks': (name) => `  ${name}@bücher-laden.example\t`,
  'with a last dot': (name) => `${name}@bücher-laden.example.`,
};

describe.each(Object.keys(forms))('an address that was signed up %s', (at) => {
  test('is stored in one form and found by all', async () => {
    const { username, status } = await signUp(forms[at]!);
    expect(status).toBe(200);
    const [row] = await database.sql<[{ id: string; email: string }]>`
      select id, email from users where username = ${username}::text::citext`;
    expect(row.email.toLowerCase()).toBe(`${username.toLowerCase()}@xn--bcher-laden-thb.example`);
    const admin = { user_id: row.id, role: 'admin', interactive: true, scopes: 'all' } as never;
    for (const form of Object.values(forms)) {
      const email = form(username);
      const context = { sql: database.sql, settings: api.services.settings };
      expect([email, (await accountForSignIn(database.sql, email))?.id]).toEqual([email, row.id]);
      expect([email, (await accountByEmail(context, email, admin))?.user.id]).toEqual([email, row.id]);
      expect([email, await accountIdOf(context, email)]).toEqual([email, row.id]);
      const json = { username: `other-${made}`, email, password: goodPassword };
      const again = await api.call('POST', '/v2/auth/create/validate', { json });
      expect([email, ((await again.json()) as { error: string }).error]).toEqual([email, 'duplicate_email']);
    }
  });
});

test('an address that was stored as it was typed, before there was one form, is found', async () => {
  const { username } = await signUp(forms['as it is typed']!);
  await database.sql`update users set email = ${`${username}@bücher-laden.example`} where username = ${username}::text::citext`;
  for (const form of Object.values(forms))
    expect(await accountForSignIn(database.sql, form(username))).not.toBeNull();
});

test('a name signs in with blanks around it and in any case', async () => {
  const { username } = await signUp((name) => `${name}@example.test`);
  for (const name of [username, ` ${username} `, username.toUpperCase(), `\u00a0${username}`]) {
    const json = { username: name, password: goodPassword };
    const answer = await api.call('POST', '/v2/auth/login', { json });
    expect([name, answer.status]).toEqual([name, 200]);
  }
});

test('an address that is changed to another form of itself stays', async () => {
  const json = { username: 'changer', email: 'changer@bücher-laden.example', password: goodPassword };
  const { session } = (await (await api.call('POST', '/v2/auth/create', { json })).json()) as {
    session: string;
  };
  const answer = await api.call('PATCH', '/v2/auth/email', {
    token: session,
    json: { email: ' changer@xn--bcher-laden-thb.example ' },
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { details: { code: 'email_same' } }]);
});
