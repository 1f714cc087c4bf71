import { expect, it } from 'vitest';
import { newestProjects } from '../../catalogue/projects/read.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { postgresVersion } from '../postgres/postgres-version.ts';
import { newestUsers } from './newest.ts';

const database = testDatabase();

it('lists for operators: newest accounts and projects, and the version of Postgres', async () => {
  const { sql } = database;
  const made = [await build.project(sql), await build.project(sql), await build.project(sql)];
  for (const [days, { id, owner }] of made.entries()) {
    const at = new Date(Date.UTC(2099, 0, 1 + days));
    await sql`update projects set published = ${at} where id = ${id}`;
    await sql`update users set created = ${at} where id = ${owner.id}`;
  }
  const newest = made.toReversed().slice(0, 2);
  expect((await newestProjects(sql, 2)).map(({ id }) => id)).toEqual(newest.map(({ id }) => id));
  expect((await newestUsers(sql, 2)).map(({ id }) => id)).toEqual(newest.map(({ owner }) => owner.id));
  const { number, text } = await postgresVersion(sql);
  expect(Math.floor(number / 10_000)).toBe(Number.parseInt(text, 10));
});
