import { describe, expect, test } from 'vitest';
import { editUser } from '../../accounts/account/edit.ts';
import { exportText } from '../../accounts/data-export/export-text.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { openSession } from '../people/session.ts';
import { parseSettings } from '../runtime/env.ts';
import { onBehalfOf } from '../runtime/requester.ts';
import { noteSecurity } from './origin.ts';
import { purgeSecurityLog, type SecurityFilter, securityEntries } from './read.ts';
import { SecurityLog } from './security-log.ts';

const database = testDatabase();
const now = new Date('2026-11-29T12:34:56Z');
const entriesOf = (user_id: string) =>
  securityEntries(database.sql, { sees: 'everything', user_id, limit: 50 });

test('says from where and by what, and counts failures by the hour', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const log = new SecurityLog(sql);
  const client = {
    network: '192.0.2.0',
    address: '192.0.2.7',
    security: log,
    credential: 'session AAAAAAAA',
  };
  onBehalfOf(client, () => {
    noteSecurity({ kind: 'sign_in', user_id: person.id, now }, 'session BBBBBBBB');
    for (let time = 0; time < 1_000; time++) noteSecurity({ kind: 'proof_failed', user_id: person.id, now });
    noteSecurity({ kind: 'sign_in_failed', user_id: null, now });
  });
  await log.write();
  onBehalfOf(client, () => noteSecurity({ kind: 'proof_failed', user_id: person.id, now }));
  await log.write();
  expect(await entriesOf(person.id)).toMatchObject([
    { kind: 'proof_failed', times: 1_001, address: '192.0.2.7', used: { noun: 'session' } },
    { kind: 'sign_in', times: 1, user: person.username, used: { noun: 'session' } },
  ]);
  const all = await securityEntries(sql, { sees: 'everything', kind: 'sign_in_failed', limit: 50 });
  expect(all).toMatchObject([{ user_id: null, user: null }]);
});

test('tells of a network that a token was not used from before, once', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const log = new SecurityLog(sql);
  const use = (network: string, of = log) =>
    of.used('token CCCCCCCC', { user_id: person.id, network, address: `${network}1`, now });
  for (const network of ['192.0.2.', '192.0.2.', '198.51.100.']) use(network);
  await log.write();
  // another process, which does not know what this one saw
  const other = new SecurityLog(sql);
  use('192.0.2.', other);
  await other.write();
  expect((await entriesOf(person.id)).map(({ kind, address }) => [kind, address])).toEqual([
    ['new_network', '198.51.100.1'],
    ['new_network', '192.0.2.1'],
  ]);
});

describe('a change of rights', () => {
  test('is written with the change, and with who made it', async () => {
    const { sql } = database;
    const person = await build.user(sql);
    const admin = await build.user(sql, { role: 'admin' });
    const change = async () =>
      await sql.begin((tx) =>
        editUser(
          tx,
          build.actorFor(admin, { role: 'admin' }),
          person.id,
          { role: 'moderator', badges: undefined },
          now,
        ),
      );
    await onBehalfOf({ network: 'n', address: '192.0.2.9', credential: 'session DDDDDDDD' }, change);
    expect(await entriesOf(person.id)).toMatchObject([
      {
        ...{
          kind: 'rights_changed',
          by: admin.username,
          address: '192.0.2.9',
          used: { noun: 'session' },
        },
        detail: { what: 'role', from: 'developer', to: 'moderator' },
      },
    ]);
  });

  test('that is undone leaves no entry', async () => {
    const { sql } = database;
    const person = await build.user(sql);
    const admin = build.actorFor(await build.user(sql, { role: 'admin' }), { role: 'admin' });
    await sql
      .begin(async (tx) => {
        await editUser(tx, admin, person.id, { role: 'moderator', badges: undefined }, now);
        throw new Error('undo');
      })
      .catch(() => {});
    expect(await entriesOf(person.id)).toEqual([]);
  });
});

describe('where and with what something was done', () => {
  const device = { os: 'Windows', platform: 'Chrome' };
  const place = { city: 'Oslo', country: 'NO' };
  const nothing = { os: null, platform: null, city: null, country: null };

  test.each<[SecurityFilter['sees'], Record<string, object>]>([
    [
      'everything',
      {
        own: { address: '192.0.2.7', used: { noun: 'session', name: null, ...device, ...place } },
        token: { address: '192.0.2.7', used: { noun: 'token', name: 'Pocket', ...nothing } },
        others: { address: '192.0.2.7', used: { noun: 'session', name: null, ...device, ...place } },
      },
    ],
    [
      'devices',
      {
        own: { address: null, used: { noun: 'session', name: null, ...nothing, ...device } },
        token: { address: null, used: { noun: 'token', name: null, ...nothing } },
        others: { address: null, used: { noun: 'session', name: null, ...nothing, ...device } },
      },
    ],
    [
      'own',
      {
        own: { address: '192.0.2.7', used: { noun: 'session', name: null, ...device, ...place } },
        token: { address: '192.0.2.7', used: { noun: 'token', name: 'Pocket', ...nothing } },
        others: { address: null, used: null },
      },
    ],
  ])('is shown to those who see %s', async (sees, expected) => {
    const { sql } = database;
    const [person, admin] = [await build.user(sql), await build.user(sql, { role: 'admin' })];
    const user_agent = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
    const opened = async ({ id: user_id }: { id: string }) => {
      const from = { ip: '192.0.2.7', ...place };
      return `session ${(await openSession(sql, { user_id, user_agent, from, now })).id}`;
    };
    await build.token(sql, person);
    await sql`update tokens set name = 'Pocket' where user_id = ${person.id}`;
    const [token] = await sql`select id from tokens where user_id = ${person.id}`;
    const row = { kind: 'rights_changed', user_id: person.id, address: '192.0.2.7', first: now, last: now };
    const rows = {
      own: { ...row, by_id: null, credential: await opened(person) },
      token: { ...row, by_id: null, credential: `token ${token!.id}` },
      others: { ...row, by_id: admin.id, credential: await opened(admin) },
    };
    await sql`insert into security_events ${sql(Object.values(rows) as never)}`;
    const found = (await securityEntries(sql, { sees, user_id: person.id, limit: 9 })).toReversed();
    const shown = found.map(({ address, used }) => ({ address, used }));
    expect(Object.fromEntries(Object.keys(rows).map((name, at) => [name, shown[at]]))).toEqual(expected);
    // nor in the copy of their data
    let text = '';
    for await (const part of exportText({ sql, settings: parseSettings({}) }, person.id)) text += part;
    const { security_log } = JSON.parse(text) as { security_log: Array<{ address: string | null }> };
    expect(security_log.map(({ address }) => address)).toEqual(['192.0.2.7', '192.0.2.7', null]);
  });

  test('is known of a session that has ended', async () => {
    const { sql } = database;
    const person = await build.user(sql);
    const log = new SecurityLog(sql);
    const origin = { address: null, credential: 'session EEEEEEEE' };
    log.record({ kind: 'sign_in', user_id: person.id, detail: { ...device, ...place }, now }, origin);
    log.record({ kind: 'proof', user_id: person.id, now }, origin);
    await log.write();
    const used = { noun: 'session', name: null, ...device, ...place };
    expect((await entriesOf(person.id)).map((entry) => entry.used)).toEqual([used, used]);
  });
});

test('is kept for 13 months, goes with its account, and is in the export of its owner', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const log = new SecurityLog(sql);
  const origin = { address: '192.0.2.7', credential: null };
  log.record({ kind: 'sign_in', user_id: person.id, now }, origin);
  log.record({ kind: 'sign_in', user_id: person.id, now: new Date('2025-10-01T00:00:00Z') }, origin);
  await log.write();
  expect(await purgeSecurityLog(sql, now)).toBe(1);
  let text = '';
  for await (const part of exportText({ sql, settings: parseSettings({}) }, person.id)) text += part;
  expect(JSON.parse(text)).toMatchObject({
    security_log: [{ kind: 'sign_in', address: '192.0.2.7' }],
  });
  await sql`delete from users where id = ${person.id}`;
  expect(await entriesOf(person.id)).toEqual([]);
});
