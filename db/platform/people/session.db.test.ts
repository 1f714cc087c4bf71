import { beforeAll, expect, test } from 'vitest';
import { token as buildToken, user } from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { hashToken } from '../secrets/hash.ts';
import { LastUsed } from './last-used.ts';
import { type Authentication, actorOf } from './read.ts';
import { closeSession, dropEndedSessions, openSession, refreshSession } from './session.ts';

const database = testDatabase();
const authentication = {} as Authentication;
beforeAll(() => {
  Object.assign(authentication, { sql: database.sql, lastUsed: new LastUsed(database.sql) });
});
const now = new Date();
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const refused = (code: string) => expect.objectContaining({ code });

const open = async (agent: string | null = null) => {
  const person = await user(database.sql);
  const session = await openSession(database.sql, { user_id: person.id, user_agent: agent, now });
  return { person, session, token: session.session as string };
};

test('a session token authenticates its user with every scope', async () => {
  const { person, token } = await open();
  expect(token).toMatch(/^mra_[A-Za-z0-9]{60}$/);
  const { proved, session, ...actor } = await actorOf(authentication, token, now);
  expect(actor).toEqual({
    user_id: person.id,
    username: person.username,
    role: 'developer',
    email_verified: true,
    scopes: 'all',
    interactive: true,
  });
  expect(session).toMatch(/^[A-Za-z0-9]{8}$/);
  expect(new Date(proved!)).toEqual(now); // Postgres leaves out zeros at the end
});

test('a stored hash does not authenticate, neither as it is nor with a prefix', async () => {
  const { token } = await open();
  const stored = hashToken(token);
  await expect(actorOf(authentication, stored, now)).rejects.toEqual(refused('token_kind_unknown'));
  await expect(actorOf(authentication, `mra_${stored.slice(0, 60)}`, now)).rejects.toEqual(
    refused('token_invalid'),
  );
});

test('a session expires 14 days after its last renewal and 60 days after the sign-in', async () => {
  const { token, session } = await open();
  expect(new Date(session.expires).getTime() - now.getTime()).toBeCloseTo(14 * 86_400_000, -5);
  expect(new Date(session.refresh_expires)).toEqual(days(60));
  await expect(actorOf(authentication, token, days(15))).rejects.toEqual(refused('token_invalid'));
  await database.sql`update sessions set expires_at = ${days(90)} where id = ${hashToken(token)}`;
  expect(await actorOf(authentication, token, days(59))).toMatchObject({ interactive: true });
  await expect(actorOf(authentication, token, days(61))).rejects.toEqual(refused('token_invalid'));
});

test('use in the second half of the 14 days renews the session, but never beyond the 60 days', async () => {
  const { token } = await open();
  const id = hashToken(token);
  const expires = async () =>
    (await database.sql`select expires_at from sessions where id = ${id}`)[0]?.expires_at;
  await database.sql`update sessions set expires_at = ${days(3)} where id = ${id}`;
  await actorOf(authentication, token, now);
  expect(new Date(await expires()).getTime()).toBeGreaterThan(days(13).getTime());
  await database.sql`update sessions set expires_at = ${days(3)}, created = ${days(-55)} where id = ${id}`;
  await actorOf(authentication, token, now);
  expect(new Date(await expires())).toEqual(days(5));
});

test('an expired session can be refreshed once and keeps its first sign-in', async () => {
  const { token, session, person } = await open(
    'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
  );
  const retried = await refreshSession(database.sql, token, days(20));
  expect(retried).toMatchObject({
    user_id: person.id,
    created: session.created,
    refresh_expires: session.refresh_expires,
  });
  expect(retried).toMatchObject({ os: 'Linux', platform: 'Firefox' });
  expect(retried?.session).not.toBe(token);
  expect(await refreshSession(database.sql, token, days(20))).toBeNull();
});

test('after 60 days a refresh fails and deletes the row', async () => {
  const { token } = await open();
  const other = await open();
  expect(await refreshSession(database.sql, token, days(61))).toBeNull();
  await dropEndedSessions(database.sql, days(61));
  expect(await database.sql`select 1 from sessions where id = ${hashToken(other.token)}`).toHaveLength(0);
});

test('signing out ends the session at once', async () => {
  const { token } = await open();
  await closeSession(database.sql, token, now);
  await expect(actorOf(authentication, token, now)).rejects.toEqual(refused('token_invalid'));
});

test.each([
  ['mro_aaaa', 'token_invalid'],
  ['mra_short', 'token_invalid'],
  ['mrp_unknown', 'token_invalid'],
  ['gho_something', 'token_kind_unknown'],
  ['', 'token_kind_unknown'],
])('refuses the token %j as %s', async (text, code) => {
  await expect(actorOf(authentication, text, now)).rejects.toEqual(refused(code));
});

test('a personal access token has only its own scopes, until it expires', async () => {
  const person = await user(database.sql, { role: 'admin' });
  const text = await buildToken(database.sql, person, ['PROJECT_READ', 'SERVER_WRITE'], days(1));
  const actor = await actorOf(authentication, text, now);
  expect(actor).toMatchObject({ user_id: person.id, role: 'developer', interactive: false });
  expect(actor.scopes).toEqual(new Set(['PROJECT_READ', 'SERVER_WRITE']));
  await expect(actorOf(authentication, text, days(2))).rejects.toEqual(refused('token_invalid'));
});

test('writes the last use of tokens and sessions in one batch', async () => {
  const { token, person } = await open();
  const personal = await buildToken(database.sql, person);
  await actorOf(authentication, token, days(1));
  await actorOf(authentication, personal, days(1));
  await authentication.lastUsed.write();
  const [session] = await database.sql`select last_used from sessions where id = ${hashToken(token)}`;
  const [row] = await database.sql`select last_used from tokens where token_hash = ${hashToken(personal)}`;
  expect(new Date(session?.last_used)).toEqual(days(1));
  expect(new Date(row?.last_used)).toEqual(days(1));
});
