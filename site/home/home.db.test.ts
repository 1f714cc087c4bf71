import postgres from 'postgres';
import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { loadTeasers } from './home.server.ts';

const database = testDatabase();

test('the random projects stay the same for a while, without those hidden meanwhile', async () => {
  const { sql } = database;
  const made = [];
  for (const title of ['Alder', 'Birch'])
    made.push(await build.project(sql, { title, icon_key: 'data/x/i.webp' }));
  const titles = async () => (await loadTeasers(database))?.map(({ title }) => title);
  const first = await titles();
  expect(first?.toSorted()).toEqual(['Alder', 'Birch']);
  expect(await titles()).toEqual(first);
  await sql`update projects set status = 'private' where id = ${made[0]!.id}`;
  expect(await titles()).toEqual(['Birch']);
});

test('when the random projects cannot be loaded the page is still served', async () => {
  const removed = postgres({ host: '127.0.0.1', port: 1, max: 1, connect_timeout: 5, onnotice: () => {} });
  expect(await loadTeasers({ ...database, sql: removed })).toBeNull();
  await removed.end({ timeout: 1 });
});
