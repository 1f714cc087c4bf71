import { expect, it } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { followedUpdates } from './updates.ts';

const database = testDatabase();

it('gives the newest listed version of each public project that is followed, the last published first', async () => {
  const { sql } = database;
  const user = await build.user(sql);
  const [fern, moss, hidden, empty, other] = await Promise.all(
    ['Fern', 'Moss', 'Hidden', 'Empty', 'Other'].map((title) => build.project(sql, { title })),
  );
  const published = (project: build.BuiltProject, version_number: string, date_published: string) =>
    build.version(sql, project, { version_number, date_published: new Date(date_published) });
  await published(fern!, '1.0', '2026-01-01');
  await published(fern!, '1.1', '2026-02-01');
  await published(moss!, '2.0', '2026-03-01');
  const draft = await published(moss!, '3.0', '2026-04-01');
  await sql`update versions set status = 'draft' where id = ${draft.id}`;
  await published(hidden!, '1.0', '2026-05-01');
  await sql`update projects set status = 'private' where id = ${hidden!.id}`;
  await published(other!, '1.0', '2026-06-01');
  for (const project of [fern!, moss!, hidden!, empty!]) await build.follow(sql, user, project);

  const updates = await followedUpdates(database, user.id, 5);
  expect(updates.map(({ title, version }) => [title, version.version_number])).toEqual([
    ['Moss', '2.0'],
    ['Fern', '1.1'],
  ]);
  expect(await followedUpdates(database, user.id, 1)).toHaveLength(1);
  expect(await followedUpdates(database, (await build.user(sql)).id, 5)).toEqual([]);
});
