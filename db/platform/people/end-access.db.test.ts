import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { appToken, session } from '../../testing/builders/credentials.ts';
import { server } from '../../testing/builders/hosting.ts';
import { testDatabase } from '../../testing/database.ts';
import { newId } from '../id.ts';
import { endAccess } from './end-access.ts';
import { LastUsed } from './last-used.ts';
import { actorOf } from './read.ts';
import { operator } from './rules.ts';
import { endSessionsOf } from './session-list.ts';

const database = testDatabase();
const lastUsed = () => new LastUsed(database.sql);
const works = async (token: string): Promise<boolean> =>
  await actorOf({ sql: database.sql, lastUsed: lastUsed() }, token, new Date()).then(
    () => true,
    () => false,
  );

async function account() {
  const { sql } = database;
  const person = await build.user(sql);
  const rented = await server(sql, person);
  const key = { public_key: 'AAAA', fingerprint: `SHA256:${newId()}` };
  await sql`insert into sftp_passwords ${sql({ user_id: person.id, server_id: rented, password_hash: 'x', created: new Date() })}`;
  await sql`insert into sftp_keys ${sql({ id: newId(), user_id: person.id, server_id: rented, name: 'Laptop', ...key, created: new Date() })}`;
  return {
    person,
    here: await session(sql, person),
    elsewhere: await session(sql, person),
    token: await build.token(sql, person),
    app: await appToken(sql, person),
  };
}
const rows = async (table: string, user_id: string): Promise<number> => {
  const { sql } = database;
  const [row] = await sql<Array<{ count: number }>>`
    select count(*)::int as count from ${sql(table)} where user_id = ${user_id}`;
  return row!.count;
};

test('ends sessions, tokens, apps and ways in by SFTP, and nothing of others', async () => {
  const { sql } = database;
  const one = await account();
  const other = await account();
  const ended = await sql.begin((tx) => endAccess(tx, { user_id: one.person.id }));
  expect(ended).toEqual({ sessions: 2, tokens: 1, apps: 1, sftp: 2, ways: 0 });
  for (const token of [one.here, one.elsewhere, one.token, one.app]) expect(await works(token)).toBe(false);
  for (const token of [other.here, other.elsewhere, other.token, other.app])
    expect(await works(token)).toBe(true);
  expect(await rows('sftp_keys', other.person.id)).toBe(1);
});

test('an operator who ends only a token leaves an entry in the log too', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  await build.token(sql, person);
  const ended = { user_id: person.id, actor: operator, now: new Date() };
  expect(await sql.begin((tx) => endSessionsOf(tx, ended))).toBe(0);
  expect(await sql.begin((tx) => endSessionsOf(tx, ended))).toBe(0);
  const events = await sql`select data from events where name = 'user.edited' and user_id = ${person.id}`;
  expect(events.map(({ data }) => data)).toEqual([{ sessions: 'ended' }]);
});

test('keeps the session in which it is done, and with the ways to sign in ends those too', async () => {
  const { sql } = database;
  const { person, here, elsewhere } = await account();
  const passkey = { id: newId(), user_id: person.id, credential_id: newId(), public_key: Buffer.from('x') };
  await sql`insert into passkeys ${sql({ ...passkey, counter: 0, transports: [], multi_device: false, backed_up: false, name: 'Laptop', created: new Date() })}`;
  const { session: keep } = await actorOf({ sql, lastUsed: lastUsed() }, here, new Date());
  const ended = await sql.begin((tx) => endAccess(tx, { user_id: person.id, keep, with_ways: true }));
  expect(ended).toMatchObject({ sessions: 1, ways: 1 });
  expect([await works(here), await works(elsewhere)]).toEqual([true, false]);
  expect(await rows('passkeys', person.id)).toBe(0);
});

test('every table with something that lets an account in is ended', async () => {
  const { sql } = database;
  const tables = await sql<Array<{ name: string }>>`
    select distinct c.table_name as name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name = 'user_id' and exists (
      select from information_schema.columns h where h.table_name = c.table_name and h.table_schema = 'public'
        and (h.column_name like '%\\_hash' or h.column_name in ('public_key', 'totp_secret', 'subject')))
    order by 1`;
  // flows are steps that end by themselves within the day, tickets within the minute; known networks and mails let nobody in
  const known = [
    'known_networks',
    'server_tickets',
    'backup_codes',
    'flows',
    'linked_accounts',
    'passkeys',
    'sftp_keys',
    'sftp_passwords',
    'tokens',
    'two_factor',
  ];
  expect(tables.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([]);
});
