import { beforeAll, expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { session } from '#db/testing/builders/credentials.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';
import { goodPassword } from '../../testing/signed-in.ts';

/** Who signs up or changes an address is told that it has an account: a few times a day. */
const database = testDatabase();
const api = testApi(database, { RATE_LIMIT_PER_MINUTE: '10000', SMTP_URL: 'smtp://127.0.0.1:1' });
let taken: string;
beforeAll(async () => {
  taken = `${(await build.user(database.sql)).username}@example.test`;
});

let made = 0;
const validate = async (email: string, address: string) => {
  const json = { username: `newcomer-${++made}`, email, password: goodPassword };
  const answer = await api.call('POST', '/v2/auth/create/validate', { json, address });
  return answer.status === 204 ? 'free' : ((await answer.json()).details as { code: string }).code;
};

test('a network is told of ten addresses a day, then of none, and is refused for free ones too', async () => {
  const network = '203.0.113.21';
  expect(await validate('free@example.test', network)).toBe('free');
  const told: string[] = [];
  for (let i = 0; i < 12; i++) told.push(await validate(taken, network));
  expect(told).toEqual([...Array(10).fill('email_taken'), 'rate_limited', 'rate_limited']);
  expect(await validate('free@example.test', network)).toBe('rate_limited');
  expect(await validate(taken, '203.0.113.22')).toBe('email_taken');

  const person = await build.user(database.sql);
  const change = { token: await session(database.sql, person), json: { email: taken } };
  const refused = await api.call('PATCH', '/v2/auth/email', { ...change, address: network });
  expect(await refused.json()).toMatchObject({ details: { code: 'rate_limited' } });
  const signUp = await api.call('POST', '/_internal/auth/sign-up', {
    json: { username: 'newcomer', email: taken, password: goodPassword, confirm_password: goodPassword },
    address: network,
  });
  expect(await signUp.json()).toMatchObject({ details: { code: 'rate_limited' } });
});

test('the owner of the address hears of it, three times a day at most', async () => {
  const { username } = await build.user(database.sql);
  const email = `${username}@example.test`;
  for (let i = 0; i < 5; i++) await validate(email.toUpperCase(), `203.0.113.${100 + i}`);
  const mails = await database.sql`select template from mails where to_address = ${email}`;
  expect(mails.map(({ template }) => template)).toEqual(Array(3).fill('sign_up_attempted'));
});

test('what is refused for another reason counts nothing', async () => {
  const network = '203.0.113.23';
  const name = (await build.user(database.sql)).username;
  for (let i = 0; i < 12; i++) {
    const json = { username: name, email: `free-${i}@example.test`, password: goodPassword };
    const answer = await api.call('POST', '/v2/auth/create/validate', { json, address: network });
    expect((await answer.json()).details.code).toBe('username_taken');
  }
  expect(await validate(taken, network)).toBe('email_taken');
});
