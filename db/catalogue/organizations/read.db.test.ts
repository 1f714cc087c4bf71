import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { findOrganization, organizationsOf, ownedOrganizations, visibleOrganizations } from './read.ts';

const database = testDatabase();
const admin = build.actorFor({ id: 'AABBCCDD', username: 'root' }, { role: 'admin' });

test('an organization is found by id and by slug in any case', async () => {
  const made = await build.organization(database.sql);
  for (const text of [made.id, made.slug, made.slug.toUpperCase()]) {
    expect(await findOrganization(database, text, admin)).toMatchObject({ id: made.id, icon_url: null });
    expect(await findOrganization(database, text, null)).toBeNull();
    expect(await findOrganization(database, text, build.actorFor(made.owner))).not.toBeNull();
  }
});

test('gives null for unknown ones', async () => {
  for (const text of ['nothing', '', '\0', 'a b', 'ä', 'x'.repeat(5000)])
    expect(await findOrganization(database, text, admin)).toBeNull();
});

test('many are given once each, in request order', async () => {
  const [a, b] = [await build.organization(database.sql), await build.organization(database.sql)];
  const found = await visibleOrganizations(database, [b.slug, 'none', a.id, b.id, a.slug], admin);
  expect(found.map(({ id }) => id)).toEqual([b.id, a.id]);
  expect(await visibleOrganizations(database, [], admin)).toEqual([]);
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
  expect((await organizationsOf(database, person.id, null)).map(({ name }) => name)).toEqual([
    'Anvil',
    'beacon',
  ]);
  expect(await organizationsOf(database, c.owner.id, null)).toEqual([]);
  const own = await organizationsOf(database, c.owner.id, build.actorFor(c.owner));
  expect(own.map(({ id }) => id)).toEqual([c.id]);
  expect(await ownedOrganizations(sql, c.owner.id)).toBe(1);
  expect(await ownedOrganizations(sql, person.id)).toBe(0);
});
