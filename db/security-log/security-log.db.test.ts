import { describe, expect, test } from 'vitest';
import { editUser } from '../accounts/edit.ts';
import { exportText } from '../data-export/export-text.ts';
import { parseSettings } from '../runtime/env.ts';
import { onBehalfOf } from '../runtime/requester.ts';
import * as build from '../testing/builders/build.ts';
import { testDatabase } from '../testing/database.ts';
import { noteSecurity } from './origin.ts';
import { purgeSecurityLog, securityEntries } from './read.ts';
import { SecurityLog } from './security-log.ts';

const database = testDatabase();
const now = new Date('2026-11-29T12:34:56Z');
const entriesOf = (user_id: string) => securityEntries(database.sql, { user_id, limit: 50 });

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
    { kind: 'proof_failed', times: 1_001, address: '192.0.2.7', credential: 'session AAAAAAAA' },
    { kind: 'sign_in', times: 1, user: person.username, credential: 'session BBBBBBBB' },
  ]);
  const all = await securityEntries(sql, { kind: 'sign_in_failed', limit: 50 });
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
          credential: 'session DDDDDDDD',
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
