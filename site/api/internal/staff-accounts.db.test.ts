import { beforeEach, describe, expect, test } from 'vitest';
import { auditConsumer } from '#db/moderation/audit/consumer.ts';
import { auditEntries } from '#db/moderation/audit/read.ts';
import { hashPassword } from '#db/platform/people/password.ts';
import { openSession } from '#db/platform/people/session.ts';
import { securityEntries } from '#db/platform/security-log/read.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { testApi } from '../../testing/api.ts';

const database = testDatabase();
const api = testApi(database);
const callers = ['visitor', 'user', 'moderator', 'admin'] as const;
type Caller = (typeof callers)[number];
/** With an address that is not verified. */
let newcomer: build.BuiltUser;
let people: Record<Exclude<Caller, 'visitor'> | 'target', build.BuiltUser>;
beforeEach(async () => {
  const { sql } = database;
  await sql`update users set role = 'developer'`; // administrators of other tests do not count
  newcomer = await build.user(sql, { email_verified: false });
  people = {
    user: await build.user(sql),
    moderator: await build.user(sql, { role: 'moderator' }),
    admin: await build.user(sql, { role: 'admin' }),
    target: await build.user(sql),
  };
});

async function headersOf(caller: Caller | 'target'): Promise<Record<string, string>> {
  const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
  if (caller === 'visitor') return headers;
  const person = { user_id: people[caller].id, user_agent: null, now: new Date() };
  return { ...headers, cookie: `auth-token=${(await openSession(database.sql, person)).session}` };
}
async function send(caller: Caller, path: string, json: object) {
  const answer = await api.call('POST', `/_internal/staff/${path}`, {
    headers: await headersOf(caller),
    json,
  });
  const body = (await answer.json()) as { to?: string; details?: { code: string } };
  return [answer.status, body.details?.code ?? null, body.to ?? null] as const;
}
const rowOf = async (id: string) =>
  (
    await database.sql`select role, badges, suspended_until, suspension_reason from users where id = ${id}`
  )[0]!;
const suspension = (more: object = {}) => ({ user: people.target.id, reason: 'Spam', days: '7', ...more });

describe('table of callers', () => {
  const table: Array<[string, () => object, Record<Caller, number>]> = [
    [
      'look-up',
      () => ({ email: people.target.username }),
      { visitor: 401, user: 401, moderator: 200, admin: 200 },
    ],
    ['suspend', suspension, { visitor: 401, user: 401, moderator: 200, admin: 200 }],
    [
      'rank',
      () => ({ user: people.target.id, role: 'moderator' }),
      { visitor: 401, user: 401, moderator: 401, admin: 200 },
    ],
    ['test-notice', () => ({}), { visitor: 401, user: 401, moderator: 401, admin: 200 }],
    [
      'verify-email',
      () => ({ user: newcomer.id, email: `${newcomer.username}@example.test` }),
      { visitor: 401, user: 401, moderator: 401, admin: 200 },
    ],
    [
      'end-sessions',
      () => ({ user: people.target.id }),
      { visitor: 401, user: 401, moderator: 401, admin: 200 },
    ],
  ];
  test.each(table)('%s', async (path, json, expected) => {
    for (const caller of callers) {
      const before = await rowOf(people.target.id);
      const [status] = await send(caller, path, json());
      expect([caller, status]).toEqual([caller, expected[caller]]);
      if (status !== 200) expect(await rowOf(people.target.id)).toEqual(before);
    }
  });

  test('restore', async () => {
    await send('admin', 'suspend', suspension());
    for (const caller of ['visitor', 'user'] as const)
      expect((await send(caller, 'restore', { user: people.target.id }))[0]).toBe(401);
    expect((await send('moderator', 'restore', { user: people.target.id }))[0]).toBe(200);
    expect(await send('moderator', 'restore', { user: people.target.id })).toMatchObject([
      400,
      'not_suspended',
      null,
    ]);
  });
});

test('an account is found by address, name or id, in any case; others are refused beside the field', async () => {
  await database.sql`update users set email = 'Found@Example.org' where id = ${people.target.id}`;
  for (const email of ['found@example.ORG', people.target.username.toUpperCase(), people.target.id])
    expect((await send('moderator', 'look-up', { email }))[2]).toBe(`/admin/user/${people.target.id}`);
  for (const email of ['nobody@example.org', '\0', '%'])
    expect((await send('moderator', 'look-up', { email }))[0]).toBe(400);
});

test('a suspension signs out, refuses sessions and tokens until it ends, and says why', async () => {
  const { sql } = database;
  const token = await build.token(sql, people.target);
  const session = await headersOf('target');
  const reads = async (headers: Record<string, string>) =>
    (await api.call('GET', '/v3/user', { headers })).status;
  expect([await reads({ authorization: token }), await reads(session)]).toEqual([200, 200]);
  await send('moderator', 'suspend', suspension());
  expect(await sql`select 1 from sessions where user_id = ${people.target.id}`).toHaveLength(0);
  const late = await headersOf('target'); // a sign-in that was under way
  expect([await reads({ authorization: token }), await reads(session), await reads(late)]).toEqual([
    401, 401, 401,
  ]);

  await sql`update users set password_hash = ${await hashPassword('stack-seven-stones')} where id = ${people.target.id}`;
  const signIn = async (password: string) =>
    await api.call('POST', '/_internal/auth/sign-in', {
      headers: { 'sec-fetch-site': 'same-origin' },
      json: { username: people.target.username, password },
    });
  expect(await (await signIn('stack-seven-stones')).json()).toMatchObject({
    description: expect.stringMatching(/suspended until \d{4}-\d\d-\d\d\. Reason: Spam/),
    details: { code: 'account_suspended' },
  });
  // whoever does not know the password learns nothing
  expect(await (await signIn('wrong-seven-stones')).json()).toMatchObject({
    details: { code: 'invalid_credentials' },
  });
  await sql`update users set suspended_until = now() - interval '1 second' where id = ${people.target.id}`;
  // what was given out before does not come back
  expect([await reads({ authorization: token }), (await signIn('stack-seven-stones')).status]).toEqual([
    401, 200,
  ]);
});

test('staff are suspended by administrators only, nobody suspends themselves, and a ban has no end', async () => {
  expect(await send('moderator', 'suspend', suspension({ user: people.admin.id }))).toMatchObject([
    401,
    'admins_only',
    null,
  ]);
  expect(await send('moderator', 'suspend', suspension({ user: people.moderator.id }))).toMatchObject([
    400,
    'suspending_yourself',
    null,
  ]);
  expect(await send('admin', 'suspend', suspension({ user: 'Nothing1' }))).toMatchObject([
    404,
    'not_found',
    null,
  ]);
  for (const wrong of [{ reason: ' ' }, { reason: 'x'.repeat(2001) }, { days: '2' }, { days: 'soon' }])
    expect((await send('admin', 'suspend', suspension(wrong)))[0]).toBe(400);
  expect((await send('admin', 'suspend', suspension({ days: '0', user: people.moderator.id })))[0]).toBe(200);
  expect((await rowOf(people.moderator.id)).suspended_until).toMatch(/^9999/);
});

test('the last administrator who can act keeps role and account, also when two remove each other at once', async () => {
  const { sql } = database;
  const rank = (user: string) => ({ user, role: 'developer' });
  expect(await send('admin', 'rank', rank(people.admin.id))).toMatchObject([400, 'last_admin', null]);
  const other = await build.user(sql, { role: 'admin', username: 'second-admin' });
  const first = people.admin;
  const [a, b] = await Promise.all([
    send('admin', 'suspend', suspension({ user: other.id })),
    (async () => {
      const { session } = await openSession(sql, { user_id: other.id, user_agent: null, now: new Date() });
      const headers = { 'sec-fetch-site': 'same-origin', cookie: `auth-token=${session}` };
      const answer = await api.call('POST', '/_internal/staff/suspend', {
        headers,
        json: suspension({ user: first.id }),
      });
      return answer.status;
    })(),
  ]);
  const acting = await sql`select 1 from users where role = 'admin' and suspended_until is null`;
  expect([acting.length, [a[0], b].filter((status) => status === 200).length]).toEqual([1, 1]);
});

test('role and badges are replaced together, and every change is in the audit log', async () => {
  const { sql } = database;
  const target = people.target.id;
  await send('admin', 'rank', {
    user: target,
    role: 'moderator',
    badge_16: 'on',
    badge_64: 'on',
    badge_512: 'on',
  });
  expect(await rowOf(target)).toMatchObject({ role: 'moderator', badges: 80 });
  await send('admin', 'suspend', suspension());
  await send('admin', 'restore', { user: target });
  const { step } = auditConsumer(sql);
  while ((await step()) > 0);
  const entries = await auditEntries(sql, { subject_id: target, actor_id: people.admin.id, limit: 10 });
  expect(entries.map(({ name, data }) => [name, data])).toEqual([
    ['user.restored', {}],
    ['user.suspended', { reason: 'Spam', until: expect.any(String) }],
    [
      'user.edited',
      {
        fields: ['role', 'badges'],
        role: { from: 'developer', to: 'moderator' },
        badges: { from: 0, to: 80 },
      },
    ],
  ]);
  const [newest] = entries;
  const older = await auditEntries(sql, {
    subject_id: target,
    before: newest!.event_id,
    names: ['user.edited'],
    limit: 10,
  });
  expect(older).toHaveLength(1);
});

test('an address is verified by hand once, only as it was read, and the logs say by whom', async () => {
  const { sql } = database;
  const email = `${newcomer.username}@example.test`;
  const vouch = (of: string) => send('admin', 'verify-email', { user: newcomer.id, email: of });
  expect(await vouch('before@example.test')).toMatchObject([409, 'email_changed_meanwhile', null]);
  expect(await vouch(email)).toMatchObject([200, null, `/admin/user/${newcomer.id}?done=verified`]);
  expect(await vouch(email)).toMatchObject([400, 'email_verified_before', null]);
  expect(await sql`select email_verified, email_vouched from users where id = ${newcomer.id}`).toEqual([
    { email_verified: true, email_vouched: true },
  ]);
  expect(await securityEntries(sql, { sees: 'everything', user_id: newcomer.id, limit: 5 })).toMatchObject([
    { kind: 'rights_changed', by: people.admin.username, detail: { what: 'email', how: 'vouched' } },
  ]);
  while ((await auditConsumer(sql).step()) > 0);
  expect(await auditEntries(sql, { limit: 1 })).toMatchObject([
    { name: 'user.edited', actor: people.admin.username, data: { email: 'vouched' } },
  ]);
});
