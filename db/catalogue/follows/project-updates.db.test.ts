import { beforeEach, expect, it } from 'vitest';
import { notificationGroups, notificationsOfUser } from '../../messages/notifications/read.ts';
import { notify } from '../../messages/notifications/write.ts';
import { cursorOf, deleteCursor } from '../../platform/events/read.ts';
import { recordEvent } from '../../platform/events/write.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { projectUpdatesConsumer } from './project-updates.ts';

const database = testDatabase();
let consumer: ReturnType<typeof projectUpdatesConsumer>;
let project: build.BuiltProject;
let follower: build.BuiltUser;
beforeEach(async () => {
  const { sql } = database;
  consumer = projectUpdatesConsumer(sql);
  await drain();
  project = await build.project(sql);
  follower = await build.user(sql);
  await build.follow(sql, follower, project);
});

async function drain() {
  while ((await consumer.step()) > 0);
}
async function publish(of = project, status = 'listed') {
  const version = await build.version(database.sql, of, { status });
  await recordEvent(database.sql, {
    name: 'version.published',
    actor_id: of.owner.id,
    project_id: of.id,
    version_id: version.id,
    data: { status, version_number: '1.0.0', version_type: 'release' },
  });
  return version;
}
const countOf = async (version: { id: string }) =>
  (await database.sql`select 1 from notifications where body ->> 'version_id' = ${version.id}`).length;

it('notifies every follower of a listed version once, also when a step runs again', async () => {
  const { sql } = database;
  await sql`
    insert into users (id, username, email) select 'F' || lpad(n::text, 6, '0'), 'follower-' || n, 'f' || n || '@example.test'
    from generate_series(1, 2300) n`;
  await sql`insert into follows (user_id, project_id) select id, ${project.id} from users where username ~ '^follower-'`;
  const before = (await cursorOf(sql, 'project_updates'))!;
  const version = await publish();
  await drain();
  expect(await countOf(version)).toBe(2301);
  const { xact, id } = before;
  await sql`update event_cursors set xact = ${xact}::xid8, id = ${id} where reader = 'project_updates'`;
  await drain();
  expect(await countOf(version)).toBe(2301);
  expect(await notificationsOfUser(sql, follower.id)).toMatchObject([
    {
      read: false,
      body: { type: 'project_update', project_id: project.id, version_id: version.id },
      link: `/project/${project.id}/version/${version.id}`,
    },
  ]);
});

it('says nothing about versions that are not listed, gone, or of projects that are not searchable', async () => {
  const { sql } = database;
  const versions = [
    await publish(project, 'draft'),
    await publish(project, 'unlisted'),
    await publish(project, 'archived'),
  ];
  const gone = await publish();
  await sql`delete from versions where id = ${gone.id}`;
  for (const status of ['unlisted', 'private', 'processing', 'rejected', 'withheld']) {
    const other = await build.project(sql, { status });
    await build.follow(sql, follower, other);
    versions.push(await publish(other));
  }
  await drain();
  for (const version of [...versions, gone]) expect(await countOf(version)).toBe(0);
});

it('leaves what happened before its first start alone', async () => {
  const version = await publish();
  await deleteCursor(database.sql, 'project_updates');
  await drain();
  expect(await countOf(version)).toBe(0);
});

it('puts the updates of one project into one group', async () => {
  const { sql } = database;
  const [first, second] = [await publish(), await publish()];
  await drain();
  const status = { project_id: project.id, old_status: 'draft', new_status: 'approved' };
  await notify(sql, [follower.id], { type: 'status_change', body: status });
  await sql`update notifications set read = true where body ->> 'version_id' = ${first.id}`;
  const { groups } = await notificationGroups(sql, follower.id, { limit: 10 });
  expect(groups).toMatchObject([
    { count: 1, unread: 1, notifications: [{ body: { type: 'status_change' } }] },
    {
      key: `project:${project.id}`,
      count: 2,
      unread: 1,
      notifications: [{ body: { version_id: second.id } }, { body: { version_id: first.id } }],
    },
  ]);
  expect((await notificationGroups(sql, follower.id, { limit: 1 })).groups).toHaveLength(1);
  expect(
    (await notificationGroups(sql, follower.id, { limit: 9, read: false })).groups.map(({ count }) => count),
  ).toEqual([1, 1]);
});
