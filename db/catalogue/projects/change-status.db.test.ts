import { beforeEach, expect, it } from 'vitest';
import { takeDown } from '../../moderation/takedowns/write.ts';
import { type Actor, operator } from '../../platform/people/rules.ts';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { changeStatus } from './change-status.ts';
import { lockProject } from './locked.ts';
import type { Status } from './rules.ts';

const database = testDatabase();
const now = new Date('2026-05-01T12:00:00Z');
let owner: build.BuiltUser;
let project: build.BuiltProject;
let moderator: Actor;
let colleague: build.BuiltUser;
let pending: build.BuiltUser;
beforeEach(async () => {
  const { sql } = database;
  [owner, colleague, pending] = [await build.user(sql), await build.user(sql), await build.user(sql)];
  project = await build.project(sql, { owner });
  await build.member(sql, project.team, colleague);
  await build.member(sql, project.team, pending, { accepted: false });
  moderator = build.actorFor(await build.user(sql, { role: 'moderator' }), { role: 'moderator' });
});

const change = async (actor: Actor, to: Status, api: 2 | 3 = 3) =>
  await database.sql.begin(async (tx) => {
    await changeStatus(tx, actor, await lockProject(tx, project.id, actor), { to, api, now });
  });
const messages = async () =>
  await database.sql`
    select m.type, m.body, m.author_id, m.hide_identity, m.private from thread_messages m
    join threads t on t.id = m.thread_id where t.project_id = ${project.id} order by m.created, m.id`;
const notified = async (type = 'status_change') =>
  (
    await database.sql<Array<{ user_id: string }>>`
      select user_id from notifications where type = ${type} and body ->> 'project_id' = ${project.id}`
  ).map(({ user_id }) => user_id);

it('writes a change by a moderator to the thread and notifies the joined members', async () => {
  await change(moderator, 'withheld');
  expect(await messages()).toEqual([
    {
      type: 'status_change',
      body: { old_status: 'approved', new_status: 'withheld' },
      author_id: moderator.user_id,
      hide_identity: true,
      private: false,
    },
  ]);
  expect((await notified()).sort()).toEqual([owner.id, colleague.id].sort());
  const [row] = await database.sql`select body from notifications where user_id = ${owner.id}`;
  expect(row!.body).toEqual({ project_id: project.id, old_status: 'approved', new_status: 'withheld' });
});

it('names no account for a change by a command of the operator', async () => {
  await change(operator, 'withheld');
  await change(operator, 'approved');
  await change(operator, 'archived');
  const written = await messages();
  expect(written.map(({ author_id }) => author_id)).toEqual([null, null]);
  expect(written.map(({ body }) => body.new_status).sort()).toEqual(['approved', 'withheld']);
  expect((await notified()).sort()).toEqual([owner.id, owner.id, colleague.id, colleague.id].sort());
});

it('notifies nobody of a change by a member, and says who made it', async () => {
  await change(build.actorFor(owner), 'unlisted');
  expect(await messages()).toMatchObject([{ author_id: owner.id, hide_identity: false }]);
  expect(await notified()).toEqual([]);
});

it('says nothing when the status stays', async () => {
  await change(moderator, 'approved');
  await change(moderator, 'archived');
  await change(moderator, 'approved', 2);
  expect(await messages()).toEqual([]);
  expect(await notified()).toEqual([]);
});

it('changes nothing when it is refused', async () => {
  await expect(change(build.actorFor(owner), 'withheld')).rejects.toMatchObject({ code: 'move_refused' });
  expect([await messages(), await notified()]).toEqual([[], []]);
});

it('leaves it to the mail of a legal hold to tell members of it', async () => {
  await database.sql.begin(async (tx) => {
    await takeDown(tx, moderator, await lockProject(tx, project.id, moderator), {
      reason: 'A claim',
      now,
    });
  });
  expect(await messages()).toMatchObject([{ body: { new_status: 'rejected' } }]);
  expect(await notified()).toEqual([]);
});
