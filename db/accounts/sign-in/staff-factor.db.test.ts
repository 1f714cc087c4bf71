import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { mailPurpose } from '../../messages/mail/queue.ts';
import { LastUsed } from '../../platform/people/last-used.ts';
import { actorOf } from '../../platform/people/read.ts';
import type { Role } from '../../platform/people/rules.ts';
import { viewerAccount } from '../../platform/people/viewer.ts';
import { parseSettings } from '../../platform/runtime/env.ts';
import { createSealer } from '../../platform/secrets/seal.ts';
import * as build from '../../testing/builders/build.ts';
import { session } from '../../testing/builders/credentials.ts';
import { testDatabase } from '../../testing/database.ts';
import { endDemoException, exceptDemoAccounts, mailStaffFactor, staffFactorDue } from './staff-factor.ts';

const database = testDatabase();

async function staff(role: Role, days_ago: number) {
  const { sql } = database;
  const person = await build.user(sql, { role });
  await sql`update users set staff_since = now() - ${days_ago} * interval '1 day' where id = ${person.id}`;
  const keys = [await session(sql, person), await build.token(sql, person)];
  const roles = async () =>
    await Promise.all(
      keys.map(async (key) => (await actorOf({ sql, lastUsed: new LastUsed(sql) }, key, new Date())).role),
    );
  return { ...person, roles };
}
const factor = (user_id: string) =>
  database.sql`insert into two_factor ${database.sql({ user_id, passkeys: true, created: new Date() })}`;

test('staff without a second factor lose their role after seven days, and get it back with one', async () => {
  const { sql } = database;
  const early = await staff('admin', 6);
  expect(await early.roles()).toEqual(['admin', 'admin']);
  expect(await staffFactorDue(sql, early.id)).toMatchObject({ is_over: false });
  const late = await staff('admin', 8);
  expect(await late.roles()).toEqual(['developer', 'developer']);
  expect(await staffFactorDue(sql, late.id)).toMatchObject({ is_over: true });
  expect((await viewerAccount({ sql, settings: { CDN_URL: '' } as never }, late.id, []))?.user.role).toBe(
    'developer',
  );
  await factor(late.id);
  expect(await late.roles()).toEqual(['admin', 'admin']);
  expect(await staffFactorDue(sql, late.id)).toBeNull();
  // whoever removes it is where they were
  await sql`delete from two_factor where user_id = ${late.id}`;
  expect(await late.roles()).toEqual(['developer', 'developer']);
});

test('the days begin with the role, and anew when it is given again', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const since = async () =>
    (await sql`select staff_since from users where id = ${person.id}`)[0]!.staff_since;
  expect([await since(), await staffFactorDue(sql, person.id)]).toEqual([null, null]);
  await sql`update users set role = 'moderator' where id = ${person.id}`;
  expect(Date.now() - Date.parse(await since())).toBeLessThan(60_000);
  await sql`update users set staff_since = now() - interval '8 days' where id = ${person.id}`;
  // another role of staff is no new beginning
  await sql`update users set role = 'admin' where id = ${person.id}`;
  expect(await staffFactorDue(sql, person.id)).toMatchObject({ is_over: true });
  await sql`update users set role = 'developer' where id = ${person.id}`;
  expect(await since()).toBeNull();
});

test('the accounts of a demo are excepted until other machines reach it', async () => {
  const { sql } = database;
  const demo = await staff('admin', 0);
  const plain = await build.user(sql);
  await exceptDemoAccounts(sql, [demo.username.toUpperCase(), plain.username]);
  expect((await sql`select staff_since from users where id = ${plain.id}`)[0]).toEqual({ staff_since: null });
  expect([await demo.roles(), await staffFactorDue(sql, demo.id)]).toEqual([['admin', 'admin'], null]);
  expect(await endDemoException(sql)).toBe(1);
  expect(await staffFactorDue(sql, demo.id)).toMatchObject({ is_over: false });
});

test('who becomes staff without a second factor is asked for one by mail, once', async () => {
  const { sql } = database;
  await sql`update users set staff_since = 'infinity' where role <> 'developer'`;
  const [person, safe, late] = [
    await staff('moderator', 1),
    await staff('admin', 1),
    await staff('admin', 8),
  ];
  await factor(safe.id);
  const sealer = createSealer(randomBytes(32));
  const mailing = { settings: parseSettings({}), sealer };
  const mails = async () => await sql`select id, user_id, data from mails where template = 'staff_factor'`;
  expect(await mailStaffFactor(sql, mailing, new Date())).toBe(1);
  expect(await mailStaffFactor(sql, mailing, new Date())).toBe(0);
  const [mail, ...others] = await mails();
  expect([mail!.user_id, others, late.id === person.id]).toEqual([person.id, [], false]);
  const until = new Date(Date.now() + 6 * 86_400_000).toISOString().slice(0, 10);
  expect(JSON.parse(sealer.open(mail!.data, mailPurpose(mail!.id))!)).toMatchObject({ until });
  await sql`update users set role = 'developer' where id = ${person.id}`;
  await sql`update users set role = 'moderator' where id = ${person.id}`;
  expect(await mailStaffFactor(sql, mailing, new Date())).toBe(1);
});
