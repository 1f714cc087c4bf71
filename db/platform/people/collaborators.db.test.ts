import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { collaboratorsOf } from './collaborators.ts';

const database = testDatabase();
const names = async (person: { id: string }) =>
  (await collaboratorsOf(database, person.id)).map(({ username }) => username);

test('lists members of the same teams, most shared teams first', async () => {
  const { sql } = database;
  const [ada, bo, cy] = [await build.user(sql), await build.user(sql), await build.user(sql)];
  const one = await build.project(sql, { owner: ada });
  await build.member(sql, one.team, bo);
  await build.member(sql, one.team, cy);
  const guild = await build.organization(sql, { owner: ada });
  await build.member(sql, guild.team_id, cy);
  expect(await names(ada)).toEqual([cy.username, bo.username]);
  expect(await names(bo)).toHaveLength(2);
});

test('ignores hidden projects and pending invitations', async () => {
  const { sql } = database;
  const [ada, bo] = [await build.user(sql), await build.user(sql)];
  const draft = await build.project(sql, { owner: ada, status: 'draft' });
  await build.member(sql, draft.team, bo);
  const open = await build.project(sql, { owner: ada });
  await build.member(sql, open.team, bo, { accepted: false });
  expect(await names(ada)).toEqual([]);
  expect(await names(bo)).toEqual([]);
});

test('lists at most ten', async () => {
  const { sql } = database;
  const ada = await build.user(sql);
  const guild = await build.organization(sql, { owner: ada });
  for (let i = 0; i < 12; i++) await build.member(sql, guild.team_id, await build.user(sql));
  expect(await names(ada)).toHaveLength(10);
});
