import { expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { unverifyOnce } from './first-configured.ts';

const database = testDatabase();

it('the first start that can send mail makes addresses unverified once, those of the demo and those that staff vouched for apart', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const demo = await build.user(sql);
  const vouched = await build.user(sql);
  await sql`update users set email_vouched = true where id = ${vouched.id}`;
  await sql`update users set email = 'mirelle@demo.invalid' where id = ${demo.id}`;
  const verified = async ({ id }: build.BuiltUser) =>
    (await sql`select email_verified from users where id = ${id}`)[0]?.email_verified;

  expect(await Promise.all([unverifyOnce({ sql }), unverifyOnce({ sql })])).toEqual(
    expect.arrayContaining([0, 1]),
  );
  expect([await verified(person), await verified(demo), await verified(vouched)]).toEqual([
    false,
    true,
    true,
  ]);
  await sql`update users set email_verified = true where id = ${person.id}`;
  expect(await unverifyOnce({ sql })).toBe(0);
  expect(await verified(person)).toBe(true);
});
