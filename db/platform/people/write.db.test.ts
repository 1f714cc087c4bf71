import { beforeAll, expect, test } from 'vitest';
import { createToken } from '../../accounts/tokens/write.ts';
import { testDatabase } from '../../testing/database.ts';
import { LastUsed } from './last-used.ts';
import {
  type Authentication,
  actorOf,
  currentUser,
  userByIdOrName,
  userFor,
  usersByIdsOrNames,
} from './read.ts';
import { accountForSignIn, createUser, verifySignIn } from './write.ts';

const database = testDatabase();
const authentication = {} as Authentication;
beforeAll(() => {
  Object.assign(authentication, { sql: database.sql, lastUsed: new LastUsed(database.sql) });
});
const now = new Date();
const tomorrow = new Date(now.getTime() + 86_400_000);
const password = 'Copper lanterns hum softly';
const refused = (code: string) => expect.objectContaining({ code });
const make = (username: string, more: object = {}) =>
  createUser(database.sql, { username, email: `${username}@example.test`, password, now, ...more });

const signIn = async (name: string, text: string): Promise<string> =>
  await verifySignIn(await accountForSignIn(database.sql, name), text);

test('a new user signs in by name or e-mail address, case-insensitively', async () => {
  const id = await make('Ada.Stone');
  expect(await signIn('ada.stone', password)).toBe(id);
  expect(await signIn('ADA.STONE@example.test', password)).toBe(id);
  const [row] = await database.sql`select password_hash, email_verified from users where id = ${id}`;
  expect(row?.password_hash).toMatch(/^\$argon2id\$/);
  expect(row?.email_verified).toBe(true);
  expect(await database.sql`select name from events where user_id = ${id}`).toEqual([
    { name: 'user.created' },
  ]);
});

test('gives the same answer for an unknown name and a wrong password', async () => {
  await make('brook');
  const answers = await Promise.all(
    [
      ['brook', 'wrong'],
      ['nobody', password],
      ['', ''],
      ['brook', 'x'.repeat(100_000)],
    ].map(([name, text]) => signIn(name as string, text as string).catch((error: Error) => error.message)),
  );
  expect(new Set(answers).size).toBe(1);
});

test.each([
  ['username_malformed', { username: 'two words' }],
  ['username_malformed', { username: 'x'.repeat(40) }],
  ['username_malformed', { username: '' }],
  ['username_malformed', { username: '.' }],
  ['username_malformed', { username: '..' }],
  ['email_malformed', { email: 'no-address' }],
  ['password_length', { password: 'Qz7!x' }],
  ['password_length', { password: 'a1B$'.repeat(65) }],
  ['password_breached', { password: 'password1' }],
  ['password_breached', { password: 'qwertyuiop' }],
  ['password_weak', { username: 'meadowlarkine', password: 'meadowlarkine' }],
])('sign-up answers %s for %j', async (code, wrong) => {
  await expect(make('carl', wrong)).rejects.toEqual(refused(code));
});

test('refuses taken names and addresses in any case, and names equal to an id', async () => {
  const id = await make('dora');
  await expect(make('DORA', { email: 'other@example.test' })).rejects.toEqual(refused('username_taken'));
  await expect(make('dora2', { email: 'Dora@example.test' })).rejects.toEqual(refused('email_taken'));
  await expect(make(id.toLowerCase())).rejects.toEqual(refused('username_taken'));
});

test('shows a token once; refuses restricted scopes and an expiry in the past', async () => {
  const user_id = await make('finn');
  const given = {
    user_id,
    name: 'ci',
    scopes: ['VERSION_CREATE'] as const,
    expires: tomorrow,
    now,
    mailing: null,
    by: null,
  };
  const { access_token } = await createToken(database.sql, given);
  expect(access_token).toMatch(/^mrp_[A-Za-z0-9]{60}$/);
  expect((await actorOf(authentication, access_token, now)).scopes).toEqual(new Set(['VERSION_CREATE']));
  await expect(createToken(database.sql, { ...given, scopes: ['PAT_READ'] })).rejects.toEqual(
    refused('scope_restricted'),
  );
  await expect(createToken(database.sql, { ...given, expires: now })).rejects.toEqual(
    refused('token_expiry_past'),
  );
});

test('finds users by id or name in request order, without private fields', async () => {
  const [gus, hana] = [await make('gus'), await make('Hana')];
  const found = await usersByIdsOrNames(database, ['hana', 'unknown', gus, 'GUS']);
  expect(found.map(({ id }) => id)).toEqual([hana, gus]);
  expect(found[0]).toMatchObject({
    username: 'Hana',
    name: null,
    email: null,
    payout_data: null,
    role: 'developer',
  });
  expect(await userByIdOrName(database, 'nobody')).toBeNull();
});

test('shows users their own address with the scope for it, and admins in a session those of others', async () => {
  const [ida, jon] = [await make('ida'), await make('jon', { role: 'admin' })];
  const actor = {
    user_id: ida,
    username: 'ida',
    role: 'developer',
    interactive: false,
    email_verified: true,
  } as const;
  expect(await currentUser(database, { ...actor, scopes: new Set(['USER_READ']) })).toMatchObject({
    email: null,
    payout_data: null,
  });
  expect(await currentUser(database, { ...actor, scopes: 'all' })).toMatchObject({
    email: 'ida@example.test',
    has_password: true,
  });
  const admin = { ...actor, user_id: jon, role: 'admin', scopes: 'all' } as const;
  expect((await userFor(database, 'ida', { ...admin, interactive: true }))?.email).toBe('ida@example.test');
  expect((await userFor(database, 'ida', admin))?.email).toBeNull();
  expect((await userFor(database, 'jon', { ...actor, scopes: 'all', interactive: true }))?.email).toBeNull();
});
