import { expect, test } from 'vitest';
import * as build from '../testing/builders/build.ts';
import { testDatabase } from '../testing/database.ts';
import { byIdOrSlug, organizationsOfUser } from './read.ts';

const database = testDatabase();

test('an organization is found by id and by slug in any case', async () => {
  const made = await build.organization(database.sql);
  const [row] = await database.sql`select slug from organizations where id = ${made.id}`;
  for (const text of [made.id, row?.slug, row?.slug.toUpperCase()])
    expect(await byIdOrSlug(database, text)).toMatchObject({ id: made.id, icon_url: null });
});

test('gives null for unknown ones', async () => {
  for (const text of ['nothing', '', '\0', 'a b', 'ä', 'x'.repeat(5000)])
    expect(await byIdOrSlug(database, text)).toBeNull();
});

test('lists the organizations whose invitation a user accepted, by name', async () => {
  const { sql } = database;
  const person = await build.user(sql);
  const [b, a, c] = [
    await build.organization(sql, { name: 'beacon' }),
    await build.organization(sql, { name: 'Anvil' }),
    await build.organization(sql, { name: 'Cog' }),
  ];
  await build.member(sql, b.team_id, person);
  await build.member(sql, a.team_id, person);
  await build.member(sql, c.team_id, person, { accepted: false });
  expect((await organizationsOfUser(database, person.id)).map(({ name }) => name)).toEqual([
    'Anvil',
    'beacon',
  ]);
  expect((await organizationsOfUser(database, c.owner.id)).map(({ id }) => id)).toEqual([c.id]);
});
