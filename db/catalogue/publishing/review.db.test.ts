import { expect, test } from 'vitest';
import * as build from '../../testing/builders/build.ts';
import { testDatabase } from '../../testing/database.ts';
import { placeInQueue } from '../projects/review-queue.ts';
import type { Status } from '../projects/rules.ts';
import { submitProject, withdrawProject } from './review.ts';

const database = testDatabase();
const now = new Date('2026-11-22T12:00:00.123Z');

async function made(status: Status) {
  const project = await build.project(database.sql, { status });
  await build.version(database.sql, project);
  return { project, owner: build.actorFor(project.owner) };
}
type Who = ReturnType<typeof build.actorFor>;
const submit = (actor: Who, id: string, confirmed = false) =>
  database.sql.begin((tx) => submitProject(tx, actor, id, { confirmed, now }));
const withdraw = (actor: Who, id: string) => database.sql.begin((tx) => withdrawProject(tx, actor, id, now));
const statusOf = async (id: string) =>
  (await database.sql`select status from projects where id = ${id}`)[0]!.status;

test('a member submits a draft, withdraws it, and submits it again; the thread tells each', async () => {
  const { project, owner } = await made('draft');
  await submit(owner, project.id);
  expect(await statusOf(project.id)).toBe('processing');
  await expect(submit(owner, project.id)).rejects.toMatchObject({ code: 'move_refused' });
  await withdraw(owner, project.id);
  expect(await statusOf(project.id)).toBe('draft');
  await submit(owner, project.id);
  const told = await database.sql`
    select m.body ->> 'new_status' as to from thread_messages m join projects p on p.thread_id = m.thread_id
    where p.id = ${project.id} order by m.created, m.id`;
  expect(told.map(({ to }) => to).sort()).toEqual(['draft', 'processing', 'processing']);
});

test.each<Status>(['approved', 'unlisted', 'draft', 'rejected'])(
  'what is %s is not withdrawn: one that was approved meanwhile stays public',
  async (status) => {
    const { project, owner } = await made(status);
    await expect(withdraw(owner, project.id)).rejects.toMatchObject({ code: 'move_refused' });
    expect(await statusOf(project.id)).toBe(status);
  },
);

test.each<Status>(['rejected', 'withheld'])(
  'what was %s is submitted again when that is confirmed',
  async (status) => {
    const { project, owner } = await made(status);
    await expect(submit(owner, project.id)).rejects.toMatchObject({ code: 'submit_unconfirmed' });
    await submit(owner, project.id, true);
    expect(await statusOf(project.id)).toBe('processing');
  },
);

test('a required point refuses it, and so do missing rights; strangers learn nothing', async () => {
  const { project, owner } = await made('draft');
  const [member, stranger] = [await build.user(database.sql), await build.user(database.sql)];
  await build.member(database.sql, project.team, member, { permissions: 1 });
  await database.sql`update projects set license_id = 'LicenseRef-Unknown' where id = ${project.id}`;
  await expect(submit(owner, project.id)).rejects.toMatchObject({ code: 'checklist_license' });
  await expect(submit(build.actorFor(member), project.id)).rejects.toMatchObject({
    code: 'permission_missing',
  });
  for (const move of [submit, withdraw])
    await expect(move(build.actorFor(stranger), project.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('the queue is in order of submission, and knows the decisions of four weeks', async () => {
  const { sql } = database;
  await sql`update projects set status = 'draft' where status = 'processing'`;
  const [first, second] = [await made('processing'), await made('processing')];
  await sql`update projects set queued = '2026-11-20T00:00:00Z' where id = ${second.project.id}`;
  await sql`update projects set queued = '2026-11-19T00:00:00Z' where id = ${first.project.id}`;
  await sql`delete from events`;
  const moves = [
    ['processing', 'approved', '2026-11-20T00:00:00Z'],
    ['processing', 'rejected', '2026-10-26T00:00:00Z'],
    ['processing', 'approved', '2026-10-24T00:00:00Z'],
    ['processing', 'draft', '2026-11-20T00:00:00Z'],
    ['approved', 'private', '2026-11-20T00:00:00Z'],
  ];
  for (const [from, to, created] of moves)
    await sql`insert into events ${sql({ name: 'project.moved', data: sql.json({ from, to } as never), created: created! })}`;
  expect(await placeInQueue(sql, second.project.id, now)).toEqual({ position: 2, waiting: 2, decisions: 2 });
  expect(await placeInQueue(sql, first.project.id, now)).toMatchObject({ position: 1 });
  expect(await placeInQueue(sql, (await made('draft')).project.id, now)).toBeNull();
});
