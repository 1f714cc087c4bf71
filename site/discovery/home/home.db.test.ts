import postgres from 'postgres';
import { expect, test } from 'vitest';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import { loadTeasers, varied } from './home.server.ts';

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

const hits = (...authors: string[]) =>
  authors.map((author, n) => ({ project_id: `${author}${n}`, author, organization_id: null }));
const authorsIn = (shown: ReadonlyArray<{ author: string }>) => shown.map(({ author }) => author).join('');

test('an author who publishes much fills no column, and what is new stands in one only', () => {
  const all = hits(...'a'.repeat(20), ...'bcd', ...'e'.repeat(40));
  const newest = varied(all, []);
  expect(authorsIn(newest)).toBe('aabcd');
  const changed = varied(all, newest);
  expect(authorsIn(changed)).toBe('aaee');
  expect(changed.filter((hit) => newest.includes(hit))).toEqual([]);
  // where there is nobody else the column is full all the same
  expect(authorsIn(varied(hits(...'aaaaaaa'), []))).toBe('aaaaa');
});
