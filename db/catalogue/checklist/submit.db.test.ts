import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { editProject } from '../publishing/edit-project.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00.123Z');
const submit = (actor: ReturnType<typeof build.actorFor>, id: string) =>
  database.sql.begin((tx) =>
    editProject(tx, actor, id, { change: { status: 'processing' }, body: null, api: 2, now }),
  );

/** A draft with one version that breaks two required rules. */
async function draft() {
  const { sql } = database;
  const project = await build.project(sql, { status: 'draft' });
  await build.version(sql, project);
  await sql`
    update projects set license_id = 'LicenseRef-Unknown', wiki_url = 'https://bit.ly/x' where id = ${project.id}`;
  return project;
}
const statusOf = async (id: string) =>
  (await database.sql`select status from projects where id = ${id}`)[0]!.status;

test('a member does not submit a project while a required point is open, and hears of all of them', async () => {
  const project = await draft();
  const owner = build.actorFor(project.owner);
  await expect(submit(owner, project.id)).rejects.toMatchObject({
    code: 'checklist_license',
    status: 400,
    data: { reasons: ['checklist_license', 'checklist_short_link'] },
  });
  expect(await statusOf(project.id)).toBe('draft');
  await database.sql`update projects set license_id = 'MIT', wiki_url = null where id = ${project.id}`;
  await submit(owner, project.id);
  expect(await statusOf(project.id)).toBe('processing');
});

test('moderators put a project under review as it is', async () => {
  const project = await draft();
  const moderator = build.actorFor(await build.user(database.sql, { role: 'moderator' }), {
    role: 'moderator',
  });
  await submit(moderator, project.id);
  expect(await statusOf(project.id)).toBe('processing');
});
