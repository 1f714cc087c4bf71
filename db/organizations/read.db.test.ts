import { expect, test } from 'vitest';
import * as build from '../seed/build.ts';
import { testDatabase } from '../test-database.ts';
import { byIdOrSlug, ownerOf } from './read.ts';

const database = testDatabase();

test('an organization is found by id and by slug in any case, and knows its owner', async () => {
  const owner = await build.user(database.sql);
  const made = await build.organization(database.sql, { owner });
  const [row] = await database.sql`select slug from organizations where id = ${made.id}`;
  for (const text of [made.id, row?.slug, row?.slug.toUpperCase()])
    expect(await byIdOrSlug(database.sql, text)).toMatchObject({ id: made.id, icon_url: null });
  expect(await ownerOf(database.sql, made.id)).toEqual(owner);
});

test('unknown ones are null', async () => {
  expect(await byIdOrSlug(database.sql, 'nothing')).toBeNull();
  expect(await ownerOf(database.sql, 'nothing1')).toBeNull();
});
