import { beforeEach, expect, it } from 'vitest';
import { recordEvent } from '../../platform/events/write.ts';
import type { Actor } from '../../platform/people/rules.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { type FollowChoice, followChoice, followChoices, saveFollowChoice } from './choices.ts';
import { projectUpdatesConsumer } from './project-updates.ts';

const database = testDatabase();
let user: build.BuiltUser;
let project: build.BuiltProject;
beforeEach(async () => {
  user = await build.user(database.sql);
  project = await build.project(database.sql);
  await build.follow(database.sql, user, project);
});

const global: FollowChoice = { mode: 'global', loaders: [], game_versions: [] };
const choose = (choice: Partial<FollowChoice>, of = project) =>
  saveFollowChoice(database.sql, { user_id: user.id } as Actor, of.id, { ...global, ...choice });
const drain = async () => {
  const consumer = projectUpdatesConsumer(database.sql);
  while ((await consumer.step()) > 0);
};
/** Whether the follower hears of a version for this loader and game version. */
async function hears(loader: string, game_version: string): Promise<boolean> {
  const { sql } = database;
  await drain();
  const version = await build.version(sql, project, { loaders: [loader], game_versions: [game_version] });
  await recordEvent(sql, {
    name: 'version.published',
    actor_id: project.owner.id,
    project_id: project.id,
    version_id: version.id,
    data: { status: 'listed', version_number: '1.0.0', version_type: 'release' },
  });
  await drain();
  const rows =
    await sql`select from notifications where user_id = ${user.id} and body ->> 'version_id' = ${version.id}`;
  return rows.length > 0;
}

it('comes before what was chosen for all projects, and back', async () => {
  await database.sql`insert into notification_choices (user_id, loaders) values (${user.id}, '{forge}')`;
  expect(await hears('fabric', '1.20.1')).toBe(false);
  await choose({ mode: 'own', loaders: ['fabric'], game_versions: ['1.20.1'] });
  expect(await hears('fabric', '1.20.1')).toBe(true);
  expect(await hears('fabric', '1.16.5')).toBe(false);
  expect(await hears('forge', '1.20.1')).toBe(false);
  await choose({ mode: 'own' });
  expect(await hears('quilt', '1.16.5')).toBe(true);
  await choose({ mode: 'none', loaders: ['forge'] });
  expect(await hears('forge', '1.20.1')).toBe(false);
  await choose({ mode: 'global', loaders: ['quilt'] });
  expect(await followChoice(database.sql, user.id, project.id)).toEqual(global);
  expect(await hears('forge', '1.20.1')).toBe(true);
});

it('takes what there is only, and from followers only', async () => {
  const refused = (choice: Partial<FollowChoice>, of = project) => expect(choose(choice, of)).rejects;
  await refused({ mode: 'own', loaders: ['nothing'] }).toMatchObject({ code: 'loader_unknown' });
  await refused({ mode: 'own', game_versions: ['0.0.0'] }).toMatchObject({ code: 'game_version_unknown' });
  const other = await build.project(database.sql);
  await refused({ mode: 'none' }, other).toMatchObject({ code: 'not_following' });
  expect(await followChoice(database.sql, user.id, other.id)).toBeNull();
  expect(await followChoice(database.sql, user.id, project.id)).toEqual(global);
});

it('is listed before projects without one, page by page', async () => {
  const { sql } = database;
  const others = await Promise.all([1, 2].map(() => build.project(sql)));
  for (const other of others) await build.follow(sql, user, other);
  await sql`update follows set created = now() - interval '1 day' where project_id = ${project.id}`;
  await choose({ mode: 'none' });
  const page = (limit: number, offset: number) => followChoices(sql, user.id, { limit, offset });
  const first = await page(2, 0);
  expect(first).toMatchObject({
    total: 3,
    follows: [{ project_id: project.id, mode: 'none' }, { mode: 'global' }],
  });
  expect(await page(2, 2)).toMatchObject({ total: 3, follows: [{ mode: 'global' }] });
  expect(await page(2, 4)).toEqual({ total: 3, follows: [] });
});
